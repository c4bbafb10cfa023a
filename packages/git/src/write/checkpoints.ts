import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failureFromStderr, GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertObjectId, assertPrivateRef } from '../process/names.ts';
import { retryLocked } from '../process/retry-locked.ts';
import { serialize } from '../process/serialize.ts';
import { findCommit, resolveCommit } from '../read/resolve-commit.ts';
import { type FastImport, startFastImport } from './fast-import.ts';
import { assertChanges, commitStream, type TreeChange } from './fast-import-stream.ts';
import type { Identity } from './identity.ts';

export interface OpenCheckpointsOptions {
  mirror: string;
  /** `refs/fettle/checkpoints/<operation>`. If it exists, new checkpoints continue from it. */
  ref: string;
  /** The parent of the first checkpoint. */
  base: string;
  /** The last recorded checkpoint. Later checkpoints, which were written but never recorded, are dropped. */
  resumeAt?: string | undefined;
  identity: Identity;
}

export interface CheckpointWrite {
  changes: readonly TreeChange[];
  message: string;
  dateSeconds: number;
}

export interface Checkpoints {
  /** Resolves with the new commit once its objects and the ref are written. */
  write(write: CheckpointWrite): Promise<string>;
  head(): string;
  close(): Promise<void>;
  /** The id of the fast-import process. */
  pid(): number | undefined;
}

/** The checkpoints of one operation. A second writer to the same ref gets a `conflict`. */
export async function openCheckpoints(options: OpenCheckpointsOptions): Promise<Checkpoints> {
  const mirror = resolve(options.mirror);
  const { ref, base, resumeAt, identity } = options;
  assertPrivateRef(ref);
  assertObjectId(base);
  let head = await startingPoint({ mirror, ref, base, resumeAt });
  // Started now, so that the first checkpoint does not wait for a process to start.
  let importer: FastImport = startFastImport(mirror);
  /** Whether the running process knows the parent of the next commit. */
  let knowsParent = false;
  let mark = 0;
  /** Whether fast-import exited during a write. The ref may or may not have moved. */
  let uncertain = false;

  const writeNow = async ({ changes, message, dateSeconds }: CheckpointWrite) => {
    assertChanges(changes);
    if (changes.length === 0) return head;
    if (!importer.isAlive()) {
      if (uncertain) head = await adoptUnacknowledged(mirror, ref, head);
      importer = startFastImport(mirror);
      knowsParent = false;
    }
    const from = knowsParent ? undefined : head;
    mark += 1;
    uncertain = true;
    const commit = await importer.send(
      commitStream({ ref, mark, from, identity, dateSeconds, message, changes }),
    );
    uncertain = false;
    knowsParent = true;
    await assertRefMoved({ mirror, ref, commit, importer });
    head = commit;
    return commit;
  };

  return {
    // A killed process may have left a lock on the ref. A retry removes it.
    write: (write) => serialize(`${mirror}\0${ref}`, () => retryLocked(mirror, () => writeNow(write))),
    head: () => head,
    close: () => serialize(`${mirror}\0${ref}`, async () => void (await importer.close())),
    pid: () => importer.pid,
  };
}

async function startingPoint(options: {
  mirror: string;
  ref: string;
  base: string;
  resumeAt: string | undefined;
}): Promise<string> {
  const { mirror, ref, base, resumeAt } = options;
  const [found, known] = await Promise.all([findCommit(mirror, ref), resolveCommit(mirror, base)]);
  const wanted = resumeAt ?? found ?? known;
  if (found === undefined || found === wanted) return wanted;
  const ancestry = await runGit({
    gitDir: mirror,
    args: ['merge-base', '--is-ancestor', await resolveCommit(mirror, wanted), found],
    exitCodes: [0, 1],
  });
  if (ancestry.exitCode === 1) throw moved(ref, wanted, found);
  await runGit({ gitDir: mirror, args: ['update-ref', ref, wanted, found] });
  return wanted;
}

/** If fast-import exited after it moved the ref and before it reported so, the ref is one commit ahead. */
async function adoptUnacknowledged(mirror: string, ref: string, head: string): Promise<string> {
  const found = await findCommit(mirror, ref);
  if (found === undefined || found === head) return head;
  const args = ['rev-parse', '--verify', '--quiet', `${found}^`];
  const { stdout } = await runGit({ gitDir: mirror, args, exitCodes: [0, 1] });
  if (stdout.toString().trim() !== head) throw moved(ref, head, found);
  return found;
}

/** fast-import only prints a warning when it cannot move a ref, so the ref itself is checked. */
async function assertRefMoved(options: {
  mirror: string;
  ref: string;
  commit: string;
  importer: FastImport;
}): Promise<void> {
  const { mirror, ref, commit, importer } = options;
  const found = readRef(join(mirror, ref));
  if (found === commit) return;
  const failure = failureFromStderr('fast-import', await importer.close());
  throw failure.code === 'locked' ? failure : moved(ref, commit, found);
}

/** Synchronous, because an asynchronous read of this cached line would take ten times as long. */
function readRef(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}

function moved(ref: string, wanted: string, found: string): GitError {
  const message = `${ref} should be at ${wanted} but ${found ? `is at ${found}` : 'does not exist'}: another process writes it.`;
  return new GitError('conflict', message, { found });
}
