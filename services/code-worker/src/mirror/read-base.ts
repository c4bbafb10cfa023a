import { GitError, readBlobAt } from '@fettle/git';

/** More than a repository has in one file; what is larger is compared with nothing. */
const maxBytes = 100_000_000;

export async function readBase(mirror: string, commit: string, path: string): Promise<Buffer | undefined> {
  try {
    return (await readBlobAt(mirror, commit, path, { maxBytes }))?.bytes;
  } catch (error) {
    if (error instanceof GitError && error.code === 'too_large') return undefined;
    throw error;
  }
}
