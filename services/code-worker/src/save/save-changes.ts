/** Collects the changed files from the sandbox, judges them, and writes the allowed ones as a checkpoint. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Saved } from '@fettle/agent';
import type { WithheldFile } from '@fettle/check-run';
import type { ChangedFile } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { type Checkpoints, encodeCheckpoint, readBlobAt, readBlobsAt, type TreeChange } from '@fettle/git';
import { type Change, type Sandbox, SandboxError } from '@fettle/sandbox';
import type { CheckpointStore } from '../attempt/attempt.ts';
import { createDeadline } from '../sandboxes/deadline.ts';
import type { ChangeGuard, Refusal } from './guard-changes.ts';
import type { BaseKeeper } from './keep-bases.ts';
import { installedFolderOf } from './stray-files.ts';

export interface SaverOptions {
  mirror: string;
  sandbox: Sandbox;
  /** Restored as the sandbox got them, not as the commit has them. */
  withheld: readonly WithheldFile[];
  checkpoints: Checkpoints;
  store: Pick<CheckpointStore, 'put'>;
  bases: Pick<BaseKeeper, 'keep'>;
  guard: ChangeGuard;
  /** Unique to this attempt: two identical checkpoints would be one pack file with two writers. */
  label: string;
  signal: AbortSignal;
  restoreTimeoutMs?: number;
}

const limits = { maxFiles: 2_000, maxBytes: 50_000_000 };
/** Restoring takes a few milliseconds per file on an idle machine. */
const defaultRestoreTimeoutMs = 300_000;
/** The largest file that one call can write to the sandbox. */
const maxRestoredBytes = 32 * 1024 ** 2;
const notRestored = 'it is too large to be restored in the sandbox, but the proposal keeps the old version';

export function createSaver(options: SaverOptions) {
  const { mirror, sandbox, checkpoints, store, bases, guard, label, signal } = options;
  const { restoreTimeoutMs = defaultRestoreTimeoutMs } = options;
  const placeholders = new Map(
    options.withheld.map(({ path, bytes, executable }) => [
      path,
      { kind: 'blob', bytes, executable } as const,
    ]),
  );
  let written = 0;

  /**
   * Restores files from the last checkpoint, and returns those that are too large for it. Parent folders come first, so
   * that no symbolic link is left on the path of a file. Listing the changes again makes the sandbox forget them.
   */
  async function restore(refused: string[]): Promise<Set<string>> {
    const paths = await withoutInstalled(refused);
    const withinDeadline = createDeadline(restoreTimeoutMs, 'restore files');
    const run = (...argv: string[]) =>
      withinDeadline((timeoutMs) => sandbox.run({ argv, timeoutMs, signal }));
    const tooLarge = new Set<string>();
    for (const path of paths.toSorted()) {
      const file =
        placeholders.get(path) ??
        (await readBlobAt(mirror, checkpoints.head(), path, { maxBytes: maxRestoredBytes }));
      // Recursive, because a folder may have replaced the file.
      await run('rm', '-rf', '--', `./${path}`);
      if (file.kind === 'too_large') tooLarge.add(path);
      if (file.kind === 'link') {
        await run('mkdir', '-p', '--', dirname(`./${path}`));
        await run('ln', '-s', '--', file.bytes.toString('utf8'), `./${path}`);
      }
      if (file.kind === 'blob') {
        const { bytes, executable } = file;
        await withinDeadline((timeoutMs) =>
          sandbox.writeFile(path, bytes, { executable, timeoutMs, signal }),
        ).catch(ignoreRefusal);
      }
    }
    await withinDeadline((timeoutMs) => sandbox.changes({ ...limits, paths, timeoutMs, signal }));
    return tooLarge;
  }

  /** Installed packages stay in the sandbox, because commands need them, but never become part of the change. */
  async function withoutInstalled(paths: string[]): Promise<string[]> {
    const isInstalled = (path: string) => installedFolderOf(path) !== undefined;
    const installed = paths.filter(isInstalled);
    if (installed.length === 0) return paths;
    const tracked = await readBlobsAt(mirror, checkpoints.head(), installed, { maxBytes: limits.maxBytes });
    return paths.filter((path) => !isInstalled(path) || tracked.has(path));
  }

  return async (paths?: string[]): Promise<Saved> => {
    let found: Awaited<ReturnType<Sandbox['changes']>>;
    try {
      found = await sandbox.changes({ ...limits, ...(paths && { paths }), signal });
    } catch (error) {
      if (!(error instanceof SandboxError) || error.endsSandbox || error.code === 'cancelled') throw error;
      const advice =
        error.code === 'too_many_changes' ? ' Delete the files that do not belong to the change.' : '';
      return { changed: [], refused: [], problem: `${error.message}${advice}` };
    }
    const judged: { change: Change; refusal: Refusal | undefined }[] = [];
    for (const change of found.changes) judged.push({ change, refusal: await guard(change) });
    const kept = judged.flatMap(({ change, refusal }) => (refusal ? [] : [change]));
    const refused = judged.flatMap(({ change, refusal }) =>
      refusal ? [{ path: change.path, ...refusal }] : [],
    );
    const tooLarge = refused.length > 0 ? await restore(refused.map(({ path }) => path)) : new Set();
    const explained = refused.map((each) => ({
      ...each,
      reason: tooLarge.has(each.path) ? `${each.reason}; ${notRestored}` : each.reason,
    }));
    const all = [...explained, ...found.refused];
    if (kept.length === 0) return { changed: [], refused: all };

    const dateSeconds = Math.floor(Date.now() / 1000);
    const parent = checkpoints.head();
    const write = { changes: kept, message: `checkpoint ${label}.${++written}`, dateSeconds };
    const checkpoint = await checkpoints.write(write);
    crashPoint('checkpointed', written);
    // Before the part is on record, so that every recorded checkpoint can be restored on another machine.
    await store.put(checkpoint, await encodeCheckpoint({ ...write, parent }));
    crashPoint('checkpoint-stored', written);
    bases.keep(kept, checkpoint);
    return { changed: kept.map(describeChange), checkpoint, refused: all };
  };
}

function describeChange(change: TreeChange): ChangedFile {
  const { path } = change;
  if (change.kind === 'deleted') return { path, change: 'deleted' };
  return { path, change: 'written', blob: blobOf(change.bytes) };
}

/** The object id that git gives to the content. */
function blobOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
}
