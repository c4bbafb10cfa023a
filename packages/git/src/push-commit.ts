import { GitError } from './git-error.ts';
import { runGit } from './git-process.ts';
import { listRemote, type Transport } from './list-remote.ts';
import { assertBranchName, assertObjectId } from './names.ts';
import { openSource, servingOption } from './source.ts';
import { withTokenFile } from './token-file.ts';

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

/** `unchanged`: the branch had that commit already. */
export type PushOutcome = 'created' | 'updated' | 'unchanged';

/**
 * Puts the commit on the branch, without force: a branch that is elsewhere and not behind is `push_rejected`.
 * The answer is what the target itself reported for the ref, so nothing has to be asked again on success.
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
    // Another attempt of the same operation was quicker, and somebody may have built on what it brought.
    if (found === commit || (found && (await contains(transport, { branch, found, commit }))))
      return 'unchanged';
    const blocking = [...heads.keys()].find((other) => branch.startsWith(`${other}/`));
    const place = found
      ? `is at ${found}`
      : `is not there${blocking === undefined ? '' : `, and cannot be beside a branch named ${blocking}`}`;
    const message = `The target refused the push: its branch ${branch} ${place} (${report.reason}).`;
    throw new GitError('push_rejected', message, { detail: report.stderr, found });
  });
}

/** Fetched into no ref: what others did on the branch is looked at, and not kept. */
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
  // 128: the branch was moved on once more, so that what was found is not there.
  const { exitCode } = await runGit({ gitDir, args, exitCodes: [0, 1, 128] });
  return exitCode === 0;
}

interface PushReport {
  outcome: PushOutcome | undefined;
  reason: string;
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
      ...servingOption(source, 'receive-pack'),
      ...['--', source.address, `${commit}:refs/heads/${branch}`],
    ],
    exitCodes: [0, 1],
  };
  const { stdout, stderr, exitCode } = await runGit(run);
  const [, flag, summary = ''] = /^([ +*=!-])\t[^\t]*\t(.*)$/m.exec(stdout.toString()) ?? [];
  const outcome = exitCode === 0 && flag ? outcomes[flag] : undefined;
  return { outcome, reason: summary || 'it gave no reason', stderr };
}

/** The flags of `git push --porcelain` that mean success without force. */
const outcomes: Record<string, PushOutcome> = { '*': 'created', ' ': 'updated', '=': 'unchanged' };
