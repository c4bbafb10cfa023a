/** Takes what changed out of the sandbox, guards it, and writes it as a checkpoint. Guards hold whoever wrote the file. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Saved } from '@fettle/agent';
import type { ChangedFile } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { type Checkpoints, GitError, readBlobAt, readBlobsAt, type TreeChange } from '@fettle/git';
import { type Change, type Sandbox, SandboxError } from '@fettle/sandbox';
import { type Ask, createPatience } from '../sandboxes/deadline.ts';
import type { ChangeGuard, NotKept } from './guard-changes.ts';

export interface SaverOptions {
  mirror: string;
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  guard: ChangeGuard;
  /** Of this attempt alone. Two checkpoints that are the same to the byte would be one pack with two writers. */
  label: string;
  /** Ends what is under way. */
  signal: AbortSignal;
  restoreMs?: number;
}

const limits = { maxFiles: 2_000, maxBytes: 50_000_000 };
/** A few milliseconds each, on a machine that has nothing else to do. */
const longestRestoreMs = 300_000;
/** No more than one write takes. */
const restoredBytes = 32 * 1024 ** 2;
const notRestored = 'it is too large to be put back here, and stays as it was in what is proposed';

export function createSaver(options: SaverOptions) {
  const { mirror, sandbox, checkpoints, guard, label, signal, restoreMs = longestRestoreMs } = options;
  let written = 0;

  /**
   * Puts files back to the last checkpoint; looking at them once more makes the toolbox forget the refused change.
   * Folders come before what is in them, so that no link stands on the way. Gives those that are too large for it.
   */
  async function restore(refused: string[]): Promise<Set<string>> {
    const paths = await withoutInstalled(refused);
    const ask = createPatience(restoreMs, 'put files back');
    const tooLarge = new Set<string>();
    for (const path of paths.toSorted()) {
      const blob = await readRestorable(path);
      if (blob === 'too large') tooLarge.add(path);
      // Whatever stands there now, a folder in the place of a file too.
      await run(ask, ['rm', '-rf', '--', `./${path}`]);
      if (blob === undefined || blob === 'too large') continue;
      if (blob.symlink) await restoreLink(ask, path, blob.bytes.toString('utf8'));
      else await write(ask, path, blob);
    }
    await ask((timeoutMs) => sandbox.changes({ ...limits, paths, timeoutMs, signal }));
    return tooLarge;
  }

  async function readRestorable(path: string) {
    try {
      return await readBlobAt(mirror, checkpoints.head(), path, { maxBytes: restoredBytes });
    } catch (error) {
      if (error instanceof GitError && error.code === 'too_large') return 'too large';
      throw error;
    }
  }

  async function restoreLink(ask: Ask, path: string, target: string): Promise<void> {
    await run(ask, ['mkdir', '-p', '--', dirname(`./${path}`)]);
    await run(ask, ['ln', '-s', '--', target, `./${path}`]);
  }

  const run = (ask: Ask, argv: string[]) => ask((timeoutMs) => sandbox.run({ argv, timeoutMs, signal }));

  async function write(
    ask: Ask,
    path: string,
    { bytes, executable }: { bytes: Buffer; executable: boolean },
  ) {
    const call = (timeoutMs: number) => sandbox.writeFile(path, bytes, { executable, timeoutMs, signal });
    await ask(call).catch(ignoreRefusal);
  }

  /** Packages that somebody installed stay where they are, since commands need them; the change goes without them. */
  async function withoutInstalled(paths: string[]): Promise<string[]> {
    const isInstalled = (path: string) => path.split('/').includes('node_modules');
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
      const advice = error.code === 'too_many_changes' ? ' Remove what does not belong to the change.' : '';
      return { changed: [], refused: [], problem: `${error.message}${advice}` };
    }
    const judged: { change: Change; why: NotKept | undefined }[] = [];
    for (const change of found.changes) judged.push({ change, why: await guard(change) });
    const kept = judged.flatMap(({ change, why }) => (why === undefined ? [change] : []));
    const refused = judged.flatMap(({ change, why }) =>
      why === undefined ? [] : [{ path: change.path, ...why }],
    );
    const tooLarge = refused.length > 0 ? await restore(refused.map(({ path }) => path)) : new Set();
    const told = refused.map((each) => ({
      ...each,
      reason: tooLarge.has(each.path) ? `${each.reason}; ${notRestored}` : each.reason,
    }));
    const all = [...told, ...found.refused];
    if (kept.length === 0) return { changed: [], refused: all };

    const dateSeconds = Math.floor(Date.now() / 1000);
    const checkpoint = await checkpoints.write({
      changes: kept,
      message: `checkpoint ${label}.${++written}`,
      dateSeconds,
    });
    crashPoint('checkpointed', written);
    return { changed: kept.map(describeChange), checkpoint, refused: all };
  };
}

function describeChange(change: TreeChange): ChangedFile {
  const { path } = change;
  if (change.kind === 'deleted') return { path, change: 'deleted' };
  return { path, change: 'written', blob: blobOf(change.bytes) };
}

/** By git's own rule, so that it can be looked up. */
function blobOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
}
