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
  };
}
