/** From a change in the workspace to a commit that is proven and on record. Plain code, no model: the same change gives the same commit. */
import type { CheckResult, Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { branchName, commitProposal, composeMessage, diffCommits } from '@fettle/git';
import { type BaseChecks, isBlamed } from './base-checks.ts';
import { deliver } from './deliver.ts';
import { describeProposal } from './describe-proposal.ts';
import { identity } from './identity.ts';
import { describeObjection } from './judge-change.ts';
import { listRemarks } from './list-remarks.ts';
import { runChecks } from './run-checks.ts';
import { runSetup } from './run-setup.ts';
import type { Change } from './verify.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export async function propose(
  work: Work,
  workspace: Workspace,
  { base, change }: { base: BaseChecks; change: Change },
): Promise<Outcome> {
  const { mirror, baseBranch, baseCommit } = workspace;
  const { operation, requester } = work.claim;
  // All that counts is in the mirror.
  workspace.closeSandbox(workspace.sandbox);

  const { files } = await diffCommits({ mirror, from: baseCommit, to: workspace.head(), maxBytes: 0 });
  if (files.length === 0) {
    if (change.shortfall) return { kind: 'failure', ...change.shortfall };
    return { kind: 'unchanged', message: change.summary || 'What was changed was changed back.' };
  }
  const { remarks, refused } = await listRemarks(workspace, files);
  // None of it came through the guards of this worker: it was kept by one with other rules.
  const [first] = refused;
  if (first) {
    const message = `${first.path}: ${describeObjection(first.objection)}`;
    return { kind: 'failure', reason: 'change_refused', message };
  }
  const { title, summary, body } = describeProposal(operation, {
    ...change,
    remarks: [...remarks, ...work.commandRemarks()],
  });
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
  crashPoint('committed');

  const shortfall = change.shortfall ?? (await failsWhenFresh(work, workspace, { base, commit: headCommit }));
  const committed = {
    type: 'proposal.committed' as const,
    branch: chooseBranch(work),
    headCommit,
    draft: shortfall !== undefined,
    title,
    body,
    ...shortfall,
  };
  await work.record(committed);
  crashPoint('commit-recorded');
  return deliver(work, { branch: baseBranch, commit: baseCommit }, committed);
}

function chooseBranch({ claim }: Work): string {
  const { id, request } = claim.operation;
  const ticket = request.ticket ?? findTicket(request.description);
  const title = request.description.replace(ticket ?? '', '');
  return branchName({ id, title, ...(ticket !== undefined && { ticket }) });
}

/** At the start or in brackets, as people write one: elsewhere it may be anything with a number, such as UTF-8. */
function findTicket(description: string): string | undefined {
  const [, atStart, bracketed] =
    /^\W*([A-Z][A-Z0-9]+-\d+)\b|[([]([A-Z][A-Z0-9]+-\d+)[)\]]/.exec(description) ?? [];
  const found = atStart ?? bracketed;
  return found && !/^(UTF|SHA|ISO|RFC|MD|AES|RSA|TLS|HTTP|ES|CP|PEP|IPV|GPT)-/.test(found)
    ? found
    : undefined;
}

/** Proves the very commit that will be pushed, where nothing that the agent left running can colour the result. */
async function failsWhenFresh(
  work: Work,
  workspace: Workspace,
  { base, commit }: { base: BaseChecks; commit: string },
): Promise<Change['shortfall']> {
  if (Object.keys(workspace.config.commands).length === 0) return undefined;
  const ran = await runFresh(work, workspace, commit);
  if (!ran.ok) return { reason: 'verification_failed', message: ran.message };
  const failed = (await base.judge(ran.checks, 1)).filter(isBlamed).map(({ name }) => name);
  if (failed.length === 0) return undefined;
  return {
    reason: 'verification_failed',
    message: `${failed.join(', ')} failed in a fresh sandbox as it did not where the agent worked`,
  };
}

async function runFresh(
  work: Work,
  workspace: Workspace,
  commit: string,
): Promise<{ ok: true; checks: CheckResult[] } | { ok: false; message: string }> {
  const { config } = workspace;
  const sandbox = await workspace.openFresh(commit);
  try {
    const failedSetup = await runSetup(work, sandbox, config);
    if (failedSetup)
      return { ok: false, message: `in a fresh sandbox, set-up failed: ${failedSetup.command}` };
    return { ok: true, checks: await runChecks(work, { sandbox, config, phase: 'fresh', round: 1 }) };
  } finally {
    workspace.closeSandbox(sandbox);
  }
}
