import { listRemote, type Transport } from '../mirror/list-remote.ts';
import { failureFromStderr, findFullDisk, GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertBranchName, assertObjectId } from '../process/names.ts';
import { openSource, servingOption } from '../process/source.ts';
import { withTokenFile } from '../process/token-file.ts';

export interface PushCommitOptions {
  mirror: string;
  target: string;
  commit: string;
  branch: string;
  token?: string | undefined;
  protocols?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** `unchanged`: the branch was at this commit already. */
export type PushOutcome = 'created' | 'unchanged';

/**
 * Creates the branch at the commit. Fails with `push_rejected` if the branch exists at another commit, even at an older
 * one: somebody else created it. On success no second request is needed, because the target reports the state of the ref.
 */
export async function pushCommit(options: PushCommitOptions): Promise<PushOutcome> {
  const { mirror, commit, branch, token, protocols, signal, timeoutMs = 10 * 60_000 } = options;
  assertObjectId(commit);
  assertBranchName(branch);
  const source = await openSource(options.target);
  return withTokenFile(token, async (env) => {
    const transport: Transport = { gitDir: mirror, source, env, protocols, signal, timeoutMs };
    const report = await push(transport, commit, branch);
    if (report.outcome) return report.outcome;
    const { heads } = await listRemote(transport);
    const found = heads.get(branch);
    // Another attempt of the same operation pushed first, and somebody may have added commits since.
    if (found === commit || (found && (await contains(transport, { branch, found, commit }))))
      return 'unchanged';
    throw explainRefusal(report, branch, heads);
  });
}

/** Whether the branch contains the commit. Fetches the branch without storing it in a ref. */
async function contains(
  { gitDir, source, ...rest }: Transport,
  { branch, found, commit }: { branch: string; found: string; commit: string },
): Promise<boolean> {
  await runGit({
    ...rest,
    gitDir,
    network: source.kind === 'remote',
    args: [
      ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'],
      ...['--no-recurse-submodules', '--update-shallow', ...servingOption(source, 'upload-pack')],
      ...['--', source.address, `refs/heads/${branch}`],
    ],
  });
  const args = ['merge-base', '--is-ancestor', commit, found];
  // 128: the branch moved again between the two requests, so the commit was not fetched.
  const { exitCode } = await runGit({ gitDir, args, exitCodes: [0, 1, 128] });
  return exitCode === 0;
}

/** The target could not store the objects. That says nothing about the branch. */
const storingFailed = /unpacker error|unable to migrate objects/;

function explainRefusal(
  { reason, stderr }: PushReport,
  branch: string,
  heads: Map<string, string>,
): GitError {
  const full = findFullDisk(stderr);
  if (full) return full;
  // Without a status for the ref, the connection failed.
  if (reason === undefined) return failureFromStderr('push', stderr);
  if (storingFailed.test(reason)) {
    const reported = stderr.split('\n').find((line) => line.startsWith('remote: ')) ?? reason;
    const message = `The target could not store the commit: ${reported.trim()}`;
    return new GitError('target_failed', message, { detail: stderr });
  }
  const found = heads.get(branch);
  const blocking = [...heads.keys()].find((other) => branch.startsWith(`${other}/`));
  const state = found
    ? `is at ${found}`
    : `does not exist${blocking === undefined ? '' : `, and cannot exist next to the branch ${blocking}`}`;
  const message = `The target refused the push: its branch ${branch} ${state} (${reason}).`;
  return new GitError('push_rejected', message, { detail: stderr, found });
}

interface PushReport {
  outcome: PushOutcome | undefined;
  /** The status of the ref, if the target reported one. */
  reason: string | undefined;
  stderr: string;
}

async function push(
  { gitDir, source, ...rest }: Transport,
  commit: string,
  branch: string,
): Promise<PushReport> {
  const run = {
    ...rest,
    gitDir,
    network: source.kind === 'remote',
    args: [
      ...['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no'],
      // Does not force: the target creates the branch only if it does not exist.
      `--force-with-lease=refs/heads/${branch}:`,
      ...servingOption(source, 'receive-pack'),
      ...['--', source.address, `${commit}:refs/heads/${branch}`],
    ],
    exitCodes: [0, 1],
    endsWithParent: true,
  };
  const { stdout, stderr, exitCode } = await runGit(run);
  const [, flag, summary] = /^([ +*=!-])\t[^\t]*\t(.*)$/m.exec(stdout.toString()) ?? [];
  const outcome = exitCode === 0 && flag ? outcomes[flag] : undefined;
  return { outcome, reason: summary, stderr };
}

/** The flags of `git push --porcelain` that mean success. Other flags would mean that an existing branch moved. */
const outcomes: Record<string, PushOutcome> = { '*': 'created', '=': 'unchanged' };
