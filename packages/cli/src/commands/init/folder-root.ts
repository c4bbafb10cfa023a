import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryRoot } from '@fettle/discovery';

/** Opens a work tree for discovery. Symbolic links are not followed: their targets are not part of the repository. */
export async function openFolderRoot(folder: string): Promise<RepositoryRoot> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  return {
    has: (name) => files.has(name),
    async read(name, maxBytes) {
      // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const file = await open(join(folder, name), flags).catch(() => undefined);
      if (file === undefined) return undefined;
      try {
        const found = await file.stat();
        if (!found.isFile()) return undefined;
        if (found.size > maxBytes) return { tooLarge: true };
        const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
        return { text: buffer.toString('utf8', 0, bytesRead) };
      } finally {
        await file.close();
      }
    },
    paths: () => listFiles(folder),
  };
}

const maxFiles = 50_000;
const maxDepth = 6;

/** Without what git or a package manager put there. */
async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  async function visit(path: string, depth: number): Promise<void> {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (files.length >= maxFiles) return;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      const isVisited = entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules';
      if (isVisited && depth < maxDepth) await visit(inside, depth + 1);
    }
  }
  await visit('', 0);
  return files;
}
