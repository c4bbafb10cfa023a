/** Takes what changed out of the sandbox, guards it, and writes it as a checkpoint. Guards hold whoever wrote the file. */
import type { Saved } from '@fettle/agent';
import { crashPoint } from '@fettle/crash-point';
import { type Checkpoints, readBlobAt, readBlobsAt } from '@fettle/git';
import { type Change, type Sandbox, SandboxError } from '@fettle/sandbox';
import type { ChangeGuard } from './guard-changes.ts';

export interface SaverOptions {
  mirror: string;
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  guard: ChangeGuard;
  /** Of this attempt alone. Two checkpoints that are the same to the byte would be one pack with two writers. */
  label: string;
}

const limits = { maxFiles: 2_000, maxBytes: 50_000_000 };

export function createSaver({ mirror, sandbox, checkpoints, guard, label }: SaverOptions) {
  let written = 0;

  /**
   * Puts files back to the last checkpoint; looking at them once more makes the toolbox forget the refused change.
   * Folders come before what is in them, so that no link stands on the way.
   */
  async function restore(refused: string[]): Promise<void> {
    const paths = await withoutInstalled(refused);
    for (const path of paths.toSorted()) {
      const blob = await readBlobAt(mirror, checkpoints.head(), path);
      // Whatever stands there now, a folder in the place of a file too.
      await sandbox.run({ argv: ['rm', '-rf', '--', `./${path}`] });
      if (blob && !blob.symlink) {
        await sandbox.writeFile(path, blob.bytes, { executable: blob.executable }).catch(ignoreRefusal);
      }
    }
    await sandbox.changes({ ...limits, paths });
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
      found = await sandbox.changes({ ...limits, ...(paths && { paths }) });
    } catch (error) {
      if (!(error instanceof SandboxError) || error.endsSandbox || error.code === 'cancelled') throw error;
      const advice = error.code === 'too_many_changes' ? ' Remove what does not belong to the change.' : '';
      return { changed: [], refused: [], problem: `${error.message}${advice}` };
    }
    const judged: { change: Change; reason: string | undefined }[] = [];
    for (const change of found.changes) judged.push({ change, reason: await guard(change) });
    const kept = judged.flatMap(({ change, reason }) => (reason === undefined ? [change] : []));
    const refused = judged.flatMap(({ change, reason }) =>
      reason === undefined ? [] : [{ path: change.path, reason }],
    );
    if (refused.length > 0) await restore(refused.map(({ path }) => path));
    const all = [...refused, ...found.refused];
    if (kept.length === 0) return { changed: [], refused: all };

    const dateSeconds = Math.floor(Date.now() / 1000);
    const checkpoint = await checkpoints.write({
      changes: kept,
      message: `checkpoint ${label}.${++written}`,
      dateSeconds,
    });
    crashPoint('checkpointed', written);
    const changed = kept.map(({ path, kind }) => ({
      path,
      change: kind === 'deleted' ? ('deleted' as const) : ('written' as const),
    }));
    return { changed, checkpoint, refused: all };
  };
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
}
