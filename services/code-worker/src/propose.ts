/** From a change in the workspace to a pull request. Plain code, no model: the same change gives the same commit. */
import type { Outcome } from '@fettle/contract';
import { branchName, commitProposal, composeMessage, diffCommits, GitError, pushCommit } from '@fettle/git';
import { describeProposal } from './describe-proposal.ts';
import { identity } from './identity.ts';
import { runChecks, runSetup } from './run-checks.ts';
import type { Change } from './verify.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

const diffBytes = 1_000_000;
const shownDiffCharacters = 20_000;

export async function propose(work: Work, workspace: Workspace, change: Change): Promise<Outcome> {
  const { mirror, baseBranch, baseCommit } = workspace;
  const { operation, requester } = work.claim;
  await work.moveTo('proposing');

  const diff = await diffCommits({ mirror, from: baseCommit, to: workspace.head(), maxBytes: diffBytes });
  if (diff.files.length === 0)
    return { kind: 'unchanged', message: change.summary || 'What was changed was changed back.' };
  const { title, summary, body } = describeProposal(operation, change);
  const headCommit = await commitProposal({
    mirror,
    tree: workspace.head(),
    base: baseCommit,
    message: composeMessage({
      subject: title,
      body: summary,
      trailers: [
        ['Requested-By', requester.name],
        ['Fettle-Operation', operation.id],
        ['Co-Authored-By', `${requester.name} <${requester.email}>`],
      ],
    }),
    author: identity,
    committer: identity,
    dateSeconds: Math.floor(Date.parse(operation.createdAt) / 1000),
  });

  const shortfall = change.shortfall ?? (await failsWhenFresh(work, workspace, headCommit));
  const draft = shortfall !== undefined;
  const pushed = await push(work, mirror, headCommit);
  if (!pushed.ok) return { kind: 'failure', reason: 'push_rejected', message: pushed.message };

  const stat = { files: diff.files.length, added: diff.added, deleted: diff.deleted };
  const place = { branch: pushed.branch, baseBranch, headCommit, draft, stat };
  const commits = [{ oid: headCommit, subject: title }];
  const pullRequest = await work.openPullRequest({
    ...place,
    baseCommit,
    title,
    body,
    commits,
    diff: diff.text,
  });
  await work.record({
    type: 'proposal.opened',
    ...place,
    pullRequest,
    diff: diff.text.slice(0, shownDiffCharacters),
  });
  return { kind: 'proposal', draft, branch: pushed.branch, headCommit, pullRequest, ...shortfall };
}

/** Proves the very commit that will be pushed, where nothing that the agent left running can colour the result. */
async function failsWhenFresh(
  work: Work,
  workspace: Workspace,
  commit: string,
): Promise<Change['shortfall']> {
  const { commands, setup } = workspace.config;
  if (Object.keys(commands).length === 0) return undefined;
  const sandbox = await workspace.openFresh(commit);
  try {
    const failedSetup = await runSetup(work, sandbox, setup);
    if (failedSetup)
      return {
        reason: 'verification_failed',
        message: `in a fresh sandbox, set-up failed: ${failedSetup.command}`,
      };
    const checks = await runChecks(work, { sandbox, commands, phase: 'fresh', round: 1 });
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length === 0) return undefined;
    return {
      reason: 'verification_failed',
      message: `${failed.join(', ')} passed where the agent worked and failed in a fresh sandbox`,
    };
  } finally {
    await sandbox.close();
  }
}

type Pushed = { ok: true; branch: string } | { ok: false; message: string };

/** Never by force: where the name is taken by another commit, the operation's own id makes it unique. */
async function push({ claim, signal }: Work, mirror: string, commit: string): Promise<Pushed> {
  const { id, request } = claim.operation;
  const ticket = request.ticket ?? /\b[A-Z][A-Z0-9]+-\d+\b/.exec(request.description)?.[0];
  const name = branchName({
    id,
    title: request.description.replace(ticket ?? '', ''),
    ...(ticket !== undefined && { ticket }),
  });
  let message = '';
  for (const branch of [name, `${name}-${id.slice(-6)}`]) {
    try {
      await pushCommit({ mirror, target: claim.source.url, commit, branch, signal });
      return { ok: true, branch };
    } catch (error) {
      if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
      message = error.message;
      if (error.code !== 'push_rejected') break;
    }
  }
  return { ok: false, message };
}
