/**
 * Stores what the base has at the paths that an attempt changes, so that the api can show diffs without a repository. In the
 * background: reading from the mirror starts a process, and no part should wait for it. Without it, the api says that it
 * cannot show a diff.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { encodeCheckpoint, GitError, readBlobsAt, type TreeChange } from '@fettle/git';
import type { CheckpointStore } from '../attempt/attempt.ts';

/** Of one checkpoint. Larger ones are shown without a line diff. */
const limits = { paths: 200, bytes: 1_000_000 };

const storeTimeoutMs = 2_000;

export interface BaseKeeperOptions {
  mirror: string;
  base: string;
  store: Pick<CheckpointStore, 'putBase'>;
}

export type BaseKeeper = ReturnType<typeof createBaseKeeper>;

export function createBaseKeeper({ mirror, base, store }: BaseKeeperOptions) {
  const known = new Set<string>();
  let latest = Promise.resolve();

  async function keep(paths: string[], checkpoint: string): Promise<void> {
    const found = await readBlobsAt(mirror, base, paths, { maxBytes: limits.bytes }).catch(ignoreSize);
    if (found === undefined) return;
    const changes = paths.map((path): TreeChange => {
      const blob = found.get(path);
      if (blob === undefined) return { kind: 'deleted', path };
      if (blob.kind === 'link') return { kind: 'symlink', path, bytes: blob.bytes };
      return { kind: 'file', path, executable: blob.executable, bytes: blob.bytes };
    });
    const bytes = await encodeCheckpoint({ parent: base, message: 'base', dateSeconds: 0, changes });
    await store.putBase(checkpoint, bytes);
  }

  return {
    /** Each path once, with the checkpoint that changed it first. */
    keep(changes: readonly { path: string }[], checkpoint: string): void {
      const paths = changes.map(({ path }) => path).filter((path) => !known.has(path));
      if (paths.length === 0 || paths.length > limits.paths) return;
      for (const path of paths) known.add(path);
      // Optional, so errors do not matter.
      latest = latest.then(() => keep(paths, checkpoint)).catch(() => {});
    },
    /** Waits only briefly: an api that is away must not delay the end of an attempt. */
    stored: () => Promise.race([latest, delay(storeTimeoutMs, undefined, { ref: false })]),
  };
}

function ignoreSize(error: unknown): undefined {
  if (!(error instanceof GitError && error.code === 'too_large')) throw error;
}
