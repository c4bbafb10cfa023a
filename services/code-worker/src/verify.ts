/** The repository's own checks judge what the agent left; what they find goes back to it, a bounded number of times. */
import { fence, type TurnsEnd } from '@fettle/agent';
import type { CheckResult, Finding, ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { runChecks } from './run-checks.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export interface Change {
  kind: 'change';
  /** The agent's own words on what it did. */
  summary: string;
  checks: CheckResult[];
  /** Set when the change is not what was asked for: it is proposed as a draft. */
  shortfall?: { reason: ReasonCode; message: string };
  /** What a second agent found in it. */
  review?: { findings: Finding[]; problem?: string | undefined };
}

export type Verified = Change | { kind: 'again'; failed: string; told: string };

export const maxRounds = 5;

export async function verify(
  work: Work,
  workspace: Workspace,
  end: Exclude<TurnsEnd, { kind: 'yielded' }>,
  round: number,
): Promise<Verified> {
  const { sandbox, config } = workspace;
  const checks = await runChecks(work, { sandbox, commands: config.commands, phase: 'verify', round });
  await workspace.saveRest();
  crashPoint('verified', round);
  if (end.kind === 'stopped') {
    const { reason, message } = end;
    return { kind: 'change', summary: '', checks, shortfall: { reason, message } };
  }
  const change: Change = { kind: 'change', summary: end.text, checks };
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return change;
  const names = failed.map(({ name }) => name).join(', ');
  if (round < maxRounds) return { kind: 'again', failed: names, told: describeFailures(failed) };
  const message = `${names} still failed after ${round} rounds`;
  return { ...change, shortfall: { reason: 'verification_failed', message } };
}

function describeFailures(failed: CheckResult[]): string {
  const reports = failed.map(({ name, command, exitCode, timedOut, output }) => {
    const how = timedOut ? 'ran into its time limit' : `ended with exit code ${exitCode}`;
    return `${name} (${command}) ${how}. The end of its output (data):\n${fence(output)}`;
  });
  return `The change is not ready: these checks of the repository fail.\n\n${reports.join('\n\n')}\n\nMend the cause and finish again.`;
}
