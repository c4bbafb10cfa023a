import { access, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runGit } from '../process/git-process.ts';

/** Overrides the attributes of the tree, so that no filter, conversion or driver applies to a mirror. */
const neutralAttributes =
  '* !diff !merge !filter !text !eol !crlf !ident !working-tree-encoding !encoding !whitespace !delta\n';

export async function mirrorExists(mirror: string): Promise<boolean> {
  return access(join(mirror, 'HEAD')).then(
    () => true,
    () => false,
  );
}

/** An older draft belongs to a process that was killed. */
const staleAfterMs = 24 * 3_600_000;

/**
 * Creates a bare repository under a temporary name, calls `fill` on it, then renames it.
 * Returns undefined when another process created the mirror in the meantime.
 */
export async function createMirror<T>(mirror: string, fill: Fill<T>): Promise<T | undefined> {
  return makeMirror(mirror, fill, (draft) => rename(draft, mirror));
}

/** Creates a new mirror and replaces a damaged one with it. If that fails, the damaged one is unchanged. */
export async function replaceMirror<T>(mirror: string, fill: Fill<T>): Promise<T | undefined> {
  const old = `${mirror}.new-${crypto.randomUUID()}`;
  return makeMirror(mirror, fill, async (draft) => {
    await copyPrivateRefs(mirror, draft);
    await rename(mirror, old);
    await rename(draft, mirror);
    await rm(old, { recursive: true, force: true });
  });
}

/** Copies the checkpoints of running operations. Damaged ones are lost. */
async function copyPrivateRefs(from: string, into: string): Promise<void> {
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--update-shallow',
  ];
  const args = ['fetch', ...options, '--', from, '+refs/fettle/*:refs/fettle/*'];
  await runGit({ gitDir: into, args, protocols: ['file'] }).catch(() => {});
}

type Fill<T> = (gitDir: string) => Promise<T>;

async function makeMirror<T>(
  mirror: string,
  fill: Fill<T>,
  place: (draft: string) => Promise<void>,
): Promise<T | undefined> {
  await mkdir(dirname(mirror), { recursive: true, mode: 0o700 });
  await removeStaleDrafts(mirror);
  const draft = `${mirror}.new-${crypto.randomUUID()}`;
  try {
    const args = ['init', '--bare', '--quiet', '--template=', '--initial-branch=main'];
    await runGit({ gitDir: draft, args });
    await mkdir(join(draft, 'info'), { recursive: true });
    await writeFile(join(draft, 'info', 'attributes'), neutralAttributes);
    const result = await fill(draft);
    await place(draft);
    return result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeStaleDrafts(mirror: string): Promise<void> {
  const folder = dirname(mirror);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(mirror)}.new-`)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found || Date.now() - found.mtimeMs < staleAfterMs) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
