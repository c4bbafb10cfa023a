/** Restores the checkpoints of an operation that another machine worked on. */
import { decodeCheckpoint, GitError, openCheckpoints } from '@fettle/git';
import type { CheckpointStore } from '../attempt/attempt.ts';
import { hasCommit } from '../mirror/mirror.ts';
import { identity } from '../propose/identity.ts';

export interface Restoring {
  mirror: string;
  /** Where the restored checkpoints go. */
  ref: string;
  base: string;
  checkpoint: string;
}

const maxCheckpoints = 10_000;

/** Returns the commit that is missing, or undefined if the checkpoint is in the mirror now. */
export async function restoreCheckpoints(
  store: CheckpointStore,
  { mirror, ref, base, checkpoint }: Restoring,
): Promise<string | undefined> {
  // Only the ids are kept: all contents at once could be large.
  const missing: string[] = [];
  let known = checkpoint;
  while (!(await hasCommit(mirror, known))) {
    const parent = (await read(store, known))?.parent;
    if (parent === undefined || known === base || missing.length >= maxCheckpoints) return known;
    missing.push(known);
    known = parent;
  }
  if (missing.length === 0) return undefined;
  const checkpoints = await openCheckpoints({ mirror, ref, base: known, identity });
  try {
    for (const commit of missing.toReversed()) {
      const saved = await read(store, commit);
      if (saved === undefined || (await checkpoints.write(saved)) !== commit) return commit;
    }
    return undefined;
  } finally {
    await checkpoints.close();
  }
}

/** Undefined if it is not stored, or damaged. */
async function read(store: CheckpointStore, commit: string) {
  const bytes = await store.get(commit);
  return bytes && decodeCheckpoint(bytes).catch(ignoreDamage);
}

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof GitError)) throw error;
}
