import type { RepositoryRoot } from '@fettle/discovery';
import { GitError, listRoot, readBlobAt } from '@fettle/git';

type ReadText = RepositoryRoot['read'];

/** Reads files of a commit in the worker's mirror. A link is no file. */
export function readerOf(mirror: string, commit: string): ReadText {
  return async (path, maxBytes) => {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes }).catch((error: unknown) => {
      if (error instanceof GitError && error.code === 'too_large') return 'too large' as const;
      throw error;
    });
    if (blob === 'too large') return { tooLarge: true };
    return blob === undefined || blob.symlink ? undefined : { text: blob.bytes.toString('utf8') };
  };
}

/** The root of a commit, as discovery sees it. */
export async function openMirrorRoot(mirror: string, commit: string): Promise<RepositoryRoot> {
  const entries = await listRoot(mirror, commit);
  const files = new Set(entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path));
  return { has: (name) => files.has(name), read: readerOf(mirror, commit) };
}
