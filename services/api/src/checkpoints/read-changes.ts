/** Reads what an operation had changed at a checkpoint, relative to its base, from the stored checkpoints alone. */
import { FettleError } from '@fettle/contract';
import { decodeCheckpoint, type TreeChange } from '@fettle/git/saved-checkpoint';
import type { CheckpointStore } from './checkpoint-store.ts';

export type Content =
  | { kind: 'missing' }
  /** It is not known what is there. */
  | { kind: 'unknown' }
  | { kind: 'file' | 'symlink'; executable: boolean; size: number; bytes: Buffer | undefined };

export interface Changes {
  /** By path, at the checkpoint. */
  now: Map<string, Content>;
  /** By path, in the base. */
  base: Map<string, Content>;
  /** Whether the chain of checkpoints reaches the base. */
  isComplete: boolean;
}

export interface ReadChanges {
  operationId: string;
  /** Undefined if nothing was changed. */
  checkpoint: string | undefined;
  baseCommit: string | undefined;
}

/** One answer must not take all memory. Larger files are listed without their content. */
const limits = {
  checkpoints: 5_000,
  storedBytes: 100_000_000,
  paths: 20_000,
  fileBytes: 1_000_000,
  bytes: 20_000_000,
};

export async function readChanges(
  store: Pick<CheckpointStore, 'get'>,
  { operationId, checkpoint, baseCommit }: ReadChanges,
): Promise<Changes> {
  const now = new Map<string, Content>();
  const base = new Map<string, Content>();
  const keep = createKeeper();
  let commit = checkpoint;
  let storedBytes = 0;
  for (let count = 0; commit !== undefined && commit !== baseCommit; count += 1) {
    const stored = await store.get({ operationId, commit });
    if (stored === undefined) return { now, base, isComplete: false };
    storedBytes += stored.length;
    if (storedBytes > limits.storedBytes || count > limits.checkpoints || now.size > limits.paths)
      throw new FettleError('too_large', `operation ${operationId} changed too much to be shown`);
    const { changes, parent } = await decodeCheckpoint(stored);
    // The newest checkpoint comes first, so what is known already is newer.
    for (const change of changes) if (!now.has(change.path)) now.set(change.path, keep(change));
    const storedBase = await store.get({ operationId, commit, what: 'base' });
    const files = storedBase === undefined ? [] : (await decodeCheckpoint(storedBase)).changes;
    for (const file of files) if (!base.has(file.path)) base.set(file.path, keep(file));
    commit = parent;
  }
  return { now, base, isComplete: true };
}

function createKeeper() {
  let left = limits.bytes;
  return (file: TreeChange): Content => {
    if (file.kind === 'deleted') return { kind: 'missing' };
    const { kind } = file;
    const size = file.bytes.length;
    const isKept = size <= limits.fileBytes && size <= left;
    if (isKept) left -= size;
    // A copy, so that the whole checkpoint can be freed.
    const bytes = isKept ? Buffer.from(file.bytes) : undefined;
    return { kind, executable: kind === 'file' && file.executable, size, bytes };
  };
}
