/** Takes what changed out of the sandbox, guards it, and writes it as a checkpoint. Guards hold whoever wrote the file. */
import type { Saved } from '@fettle/agent';
import { crashPoint } from '@fettle/crash-point';
import { type Checkpoints, pathFlaw, readBlobAt } from '@fettle/git';
import type { PathJudge } from '@fettle/policy';
import { type Sandbox, SandboxError } from '@fettle/sandbox';

export interface SaverOptions {
  mirror: string;
  sandbox: Sandbox;
  checkpoints: Checkpoints;
  judgePath: PathJudge;
  /** Of this attempt alone. Two checkpoints that are the same to the byte would be one pack with two writers. */
  label: string;
}

const limits = { maxFiles: 2_000, maxBytes: 50_000_000 };

export function createSaver({ mirror, sandbox, checkpoints, judgePath, label }: SaverOptions) {
  let written = 0;

  /** Puts files back to the last checkpoint; looking at them once more makes the toolbox forget the refused change. */
  async function restore(paths: string[]): Promise<void> {
    for (const path of paths) {
      const blob = await readBlobAt(mirror, checkpoints.head(), path);
      // Whatever stands there now, a folder in the place of a file too.
      await sandbox.run({ argv: ['rm', '-rf', '--', `./${path}`] });
      if (blob && !blob.symlink) {
        await sandbox.writeFile(path, blob.bytes, { executable: blob.executable }).catch(ignoreRefusal);
      }
    }
    await sandbox.changes({ ...limits, paths });
  }

  return async (paths?: string[]): Promise<Saved> => {
    let found: Awaited<ReturnType<Sandbox['changes']>>;
    try {
      found = await sandbox.changes({ ...limits, ...(paths && { paths }) });
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'too_many_changes') throw error;
      return {
        changed: [],
        refused: [],
        problem: `${error.message} Remove what does not belong to the change.`,
      };
    }
    const judged = found.changes.map((change) => ({ change, reason: refusal(change.path, judgePath) }));
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

function refusal(path: string, judgePath: PathJudge): string | undefined {
  const flaw = pathFlaw(path);
  if (flaw) return `the path is not allowed: ${flaw}`;
  const verdict = judgePath(path);
  return verdict.ok ? undefined : verdict.reason;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
}
