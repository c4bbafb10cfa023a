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
  /** `refs/fettle/checkpoints/<operation>`; when it exists already, the new ones follow it. */
  ref: string;
  /** The commit that the first checkpoint follows. */
  base: string;
  /** The last checkpoint on record. One that was written after it, but never recorded, is dropped. */
  resumeAt?: string | undefined;
  identity: Identity;
}

export interface CheckpointWrite {
  changes: readonly TreeChange[];
  message: string;
  dateSeconds: number;
}

export interface Checkpoints {
  /** Resolves with the new commit when its objects and the ref are on disk. */
  write(write: CheckpointWrite): Promise<string>;
  head(): string;
  close(): Promise<void>;
  /** The process behind it, for whoever watches processes. */
  pid(): number | undefined;
}

/** One operation's checkpoints. There is one writer per ref; a second one gets `conflict`. */
export async function openCheckpoints(options: OpenCheckpointsOptions): Promise<Checkpoints> {
  const mirror = resolve(options.mirror);
  const { ref, base, resumeAt, identity } = options;
  assertPrivateRef(ref);
  assertObjectId(base);
  let head = await startingPoint({ mirror, ref, base, resumeAt });
  // Started at once, so that the first checkpoint need not wait for a process.
  let importer: FastImport = startFastImport(mirror);
  /** Whether this process has been told what the first commit follows. */
  let introduced = false;
  let mark = 0;
  /** Whether fast-import died during a write, so that nobody knows whether the ref has moved. */
  let uncertain = false;

  const writeNow = async ({ changes, message, dateSeconds }: CheckpointWrite) => {
    assertChanges(changes);
    if (changes.length === 0) return head;
    if (!importer.isAlive()) {
      if (uncertain) head = await adoptUnacknowledged(mirror, ref, head);
      importer = startFastImport(mirror);
      introduced = false;
    }
    const from = introduced ? undefined : head;
    mark += 1;
    uncertain = true;
    const commit = await importer.send(
      commitStream({ ref, mark, from, identity, dateSeconds, message, changes }),
    );
    uncertain = false;
    introduced = true;
    await assertRefMoved({ mirror, ref, commit, importer });
    head = commit;
    return commit;
  };

  return {
    // A lock that a killed process left on the ref shows as `locked`, and is gone on a later try.
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

/** A process can die after it moved the ref and before it said so: then the ref is one commit ahead. */
async function adoptUnacknowledged(mirror: string, ref: string, head: string): Promise<string> {
  const found = await findCommit(mirror, ref);
  if (found === undefined || found === head) return head;
  const args = ['rev-parse', '--verify', '--quiet', `${found}^`];
  const { stdout } = await runGit({ gitDir: mirror, args, exitCodes: [0, 1] });
  if (stdout.toString().trim() !== head) throw moved(ref, head, found);
  return found;
}

/** fast-import only warns when it cannot move a ref, so the ref itself has to be looked at. */
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

/** A line from the cache of the system; asking another thread for it would take ten times as long. */
function readRef(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}

function moved(ref: string, wanted: string, found: string): GitError {
  const message = `${ref} should be at ${wanted} but is at ${found || 'nothing'}: another process writes it.`;
  return new GitError('conflict', message, { found });
}
