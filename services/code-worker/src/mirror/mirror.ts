import type { RepositoryRoot } from '@fettle/discovery';
import { GitError, listRoot, readBlobAt } from '@fettle/git';

type Reading = { text: string } | { tooLarge: true } | { link: true } | undefined;

/** Reads files of a commit in the worker's mirror; a link is not followed. */
export function readerOf(mirror: string, commit: string) {
  return async (path: string, maxBytes: number): Promise<Reading> => {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes }).catch((error: unknown) => {
      if (error instanceof GitError && error.code === 'too_large') return 'too large' as const;
      throw error;
    });
    if (blob === 'too large') return { tooLarge: true };
    if (blob?.symlink) return { link: true };
    return blob && { text: blob.bytes.toString('utf8') };
  };
}

/** The root of a commit, as discovery sees it. */
export async function openMirrorRoot(mirror: string, commit: string): Promise<RepositoryRoot> {
  const entries = await listRoot(mirror, commit);
  const files = new Set(entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path));
  const read = readerOf(mirror, commit);
  return {
    has: (name) => files.has(name),
    async read(name, maxBytes) {
      const file = await read(name, maxBytes);
      return file && 'link' in file ? undefined : file;
    },
  };
}
