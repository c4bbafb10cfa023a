/** Proves the commit to be pushed: runs its checks in a fresh sandbox, where leftovers of the agent have no influence. */
import type { CheckResult } from '@fettle/contract';
import type { Attempt } from '../attempt/attempt.ts';
import { runSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type BaseChecks, isCausedByChange } from '../verify/base-checks.ts';
import { runChecks } from '../verify/run-checks.ts';
import type { Shortfall } from '../verify/verify.ts';

type ProofNeeds = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'>;

/** Returns why the commit is not proven; undefined if it is, or if the repository has no checks. */
export async function proveCommit(
  attempt: ProofNeeds,
  workspace: Workspace,
  { base, commit }: { base: BaseChecks; commit: string },
): Promise<Shortfall | undefined> {
  if (Object.keys(workspace.config.commands).length === 0) return undefined;
  const ran = await runFresh(attempt, workspace, commit);
  if (!ran.ok) return { reason: 'verification_failed', message: ran.message };
  const failed = (await base.judge(ran.checks, 1)).filter(isCausedByChange).map(({ name }) => name);
  if (failed.length === 0) return undefined;
  const message = `${failed.join(', ')} failed in a fresh sandbox, but not where the agent worked`;
  return { reason: 'verification_failed', message };
}

async function runFresh(
  attempt: ProofNeeds,
  workspace: Workspace,
  commit: string,
): Promise<{ ok: true; checks: CheckResult[] } | { ok: false; message: string }> {
  const { config } = workspace;
  const sandbox = await workspace.openFresh(commit);
  try {
    const failedSetup = await runSetup(attempt, sandbox, config);
    if (failedSetup)
      return { ok: false, message: `set-up failed in a fresh sandbox: ${failedSetup.command}` };
    return { ok: true, checks: await runChecks(attempt, { sandbox, config, phase: 'fresh', round: 1 }) };
  } finally {
    workspace.closeSandbox(sandbox);
  }
}
