import { listRemote, type Transport } from '../mirror/list-remote.ts';
import { failureFromStderr, findFullDisk, GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertBranchName, assertObjectId } from '../process/names.ts';
import { openSource, servingOption } from '../process/source.ts';
import { withTokenFile } from '../process/token-file.ts';
import { isAncestor } from '../read/is-ancestor.ts';

export interface PushCommitOptions {
  mirror: string;
  target: string;
  commit: string;
  branch: string;
  /** Where the branch has to be. Without it, the branch must not exist. */
  expected?: string | undefined;
  token?: string | undefined;
  protocols?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** `unchanged`: the branch was at this commit already. */
export type PushOutcome = 'created' | 'advanced' | 'unchanged';

/**
 * Creates the branch at the commit, or advances it from the expected commit. Fails with `push_rejected` if the branch is
 * at any other commit, even at an older one: somebody else moved it. Never forces: the commit contains the expected one.
 * On success no second request is needed, because the target reports the state of the ref.
 */
export async function pushCommit(options: PushCommitOptions): Promise<PushOutcome> {
  const { mirror, commit, branch, expected, token, protocols, signal, timeoutMs = 10 * 60_000 } = options;
  assertObjectId(commit);
  assertBranchName(branch);
  // A lease permits a forced push as long as it holds, so the commit has to contain what it replaces.
  if (expected !== undefined && !(await isAncestor(mirror, expected, commit)))
    throw new GitError('push_rejected', `${commit} does not contain ${expected}.`, { detail: '' });
  const source = await openSource(options.target);
  return withTokenFile(token, async (env) => {
    const transport: Transport = { gitDir: mirror, source, env, protocols, signal, timeoutMs };
    const report = await push(transport, { commit, branch, expected });
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
  // False if the branch moved again between the two requests, so that its head was not fetched.
  return isAncestor(gitDir, commit, found);
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
  { commit, branch, expected = '' }: Pick<PushCommitOptions, 'commit' | 'branch' | 'expected'>,
): Promise<PushReport> {
  const run = {
    ...rest,
    gitDir,
    network: source.kind === 'remote',
    args: [
      ...['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no'],
      // The target changes the branch only if it is at the expected commit, or does not exist.
      `--force-with-lease=refs/heads/${branch}:${expected}`,
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

/** The flags of `git push --porcelain` that mean success. `+` would mean a forced update. */
const outcomes: Record<string, PushOutcome> = { '*': 'created', ' ': 'advanced', '=': 'unchanged' };
