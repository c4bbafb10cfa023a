/** The worker's own bare clone of a repository, and how files of a commit are read from it. */
import { join } from 'node:path';
import type { RepositoryRoot } from '@fettle/discovery';
import { GitError, listRoot, readBlobAt, resolveCommit } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';

export function mirrorIn(home: string, repositoryId: string): string {
  return join(home, 'mirrors', `${repositoryId}.git`);
}

export function mirrorOf({ claim, config }: Pick<Attempt, 'claim' | 'config'>): string {
  return mirrorIn(config.home, claim.source.repositoryId);
}

export async function hasCommit(mirror: string, commit: string): Promise<boolean> {
  return resolveCommit(mirror, commit).then(Boolean, () => false);
}

export type FileAtCommit =
  | { kind: 'blob'; bytes: Buffer; executable: boolean }
  | { kind: 'link'; target: Buffer }
  | { kind: 'missing' }
  | { kind: 'too_large' };

/** Reads a file of a commit. Symbolic links are not followed. */
export async function readFileAt(
  mirror: string,
  commit: string,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<FileAtCommit> {
  try {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes });
    if (blob === undefined) return { kind: 'missing' };
    const { bytes, executable, symlink } = blob;
    return symlink ? { kind: 'link', target: bytes } : { kind: 'blob', bytes, executable };
  } catch (error) {
    if (error instanceof GitError && error.code === 'too_large') return { kind: 'too_large' };
    throw error;
  }
}

/** Larger files are not compared with the base commit. */
const maxComparedBytes = 100_000_000;

/** The content of a file in the base commit; for a symbolic link, its target. */
export async function readBase(mirror: string, commit: string, path: string): Promise<Buffer | undefined> {
  const file = await readFileAt(mirror, commit, path, { maxBytes: maxComparedBytes });
  if (file.kind === 'link') return file.target;
  return file.kind === 'blob' ? file.bytes : undefined;
}

/** The top-level files of a commit, for discovery. */
export async function openMirrorRoot(mirror: string, commit: string): Promise<RepositoryRoot> {
  const entries = await listRoot(mirror, commit);
  const files = new Set(entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path));
  return {
    has: (name) => files.has(name),
    async read(name, maxBytes) {
      const file = await readFileAt(mirror, commit, name, { maxBytes });
      if (file.kind === 'too_large') return { tooLarge: true };
      return file.kind === 'blob' ? { text: file.bytes.toString('utf8') } : undefined;
    },
  };
}
