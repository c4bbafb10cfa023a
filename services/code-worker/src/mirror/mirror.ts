/** The worker's own bare clone of a repository, and how files of a commit are read from it. */
import { join } from 'node:path';
import { readBlobAt, resolveCommit } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';

export function mirrorIn(home: string, repositoryId: string): string {
  return join(home, 'mirrors', `${repositoryId}.git`);
}

export function mirrorOf({ claim, config }: Pick<Attempt, 'claim' | 'config'>): string {
  return mirrorIn(config.home, claim.source.repositoryId);
}

/** One ref per attempt, so that a superseded worker cannot overwrite a newer checkpoint. */
export const checkpointRef = ({ claim }: Pick<Attempt, 'claim'>): string =>
  `refs/fettle/checkpoints/${claim.operation.id}/${claim.fence}`;

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
