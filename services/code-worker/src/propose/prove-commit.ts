/** From a draft to a commit that is proven and on record. Plain code, no model: the same change gives the same commit. */
import type { CheckResult, Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Work } from '../attempt/attempt.ts';
import { runSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type BaseChecks, isBlamed } from '../verify/base-checks.ts';
import { runChecks } from '../verify/run-checks.ts';
import type { Change } from '../verify/verify.ts';
import type { Draft } from './draft-proposal.ts';
import { deliver } from './propose.ts';

export async function propose(
  work: Work,
  workspace: Workspace,
  { base, change, draft }: { base: BaseChecks; change: Change; draft: Draft | undefined },
): Promise<Outcome> {
  // All that counts is in the mirror.
  workspace.closeSandbox(workspace.sandbox);
  if (draft === undefined) {
    if (change.shortfall) return { kind: 'failure', ...change.shortfall };
    return { kind: 'unchanged', message: change.summary || 'What was changed was changed back.' };
  }
  const { branch, headCommit, title, body } = draft;
  const shortfall = change.shortfall ?? (await failsWhenFresh(work, workspace, { base, commit: headCommit }));
  const committed = {
    type: 'proposal.committed' as const,
    ...{ branch, headCommit, title, body },
    draft: shortfall !== undefined,
    ...shortfall,
  };
  await work.record(committed);
  crashPoint('commit-recorded');
  const { baseBranch, baseCommit } = workspace;
  return deliver(work, { branch: baseBranch, commit: baseCommit }, committed, { isScanned: true });
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
