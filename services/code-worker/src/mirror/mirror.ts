/** The worker's own bare clone of a repository, and how files of a commit are read from it. */
import { join } from 'node:path';
import type { RepositoryRoot } from '@fettle/discovery';
import { listRoot, readBlobAt, resolveCommit } from '@fettle/git';
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

/** Larger files are not compared with the base commit. */
const maxComparedBytes = 100_000_000;

/** The content of a file in the base commit; for a symbolic link, its target. */
export async function readBase(mirror: string, commit: string, path: string): Promise<Buffer | undefined> {
  const file = await readBlobAt(mirror, commit, path, { maxBytes: maxComparedBytes });
  return 'bytes' in file ? file.bytes : undefined;
}

/** The top-level files of a commit, for discovery. */
export async function openMirrorRoot(mirror: string, commit: string): Promise<RepositoryRoot> {
  const entries = await listRoot(mirror, commit);
  const files = new Set(entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path));
  return {
    has: (name) => files.has(name),
    async read(name, maxBytes) {
      const file = await readBlobAt(mirror, commit, name, { maxBytes });
      if (file.kind === 'too_large') return { tooLarge: true };
      return file.kind === 'blob' ? { text: file.bytes.toString('utf8') } : undefined;
    },
  };
}
