/** Runs the repository's checks on the change. Failures go back to the agent, a limited number of times. */
import type { Finding, Kind, ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { AgentEnd } from '../act/act.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type BaseChecks, isCausedByChange, type JudgedCheck } from './base-checks.ts';
import { describeFailures, describeOldFailures } from './describe-failures.ts';
import { runChecks } from './run-checks.ts';

/** Why a change is proposed as a draft: it is not what was asked for. */
export interface Shortfall {
  reason: ReasonCode;
  message: string;
}

/** A verified change, ready to be proposed. */
export interface Change {
  /** The agent's description of the change. */
  summary: string;
  /** The agent's last message, if it had to stop before it could write a summary. */
  lastText?: string | undefined;
  checks: JudgedCheck[];
  shortfall?: Shortfall;
  /** The findings of the reviewing agent. */
  review?: { findings: Finding[]; problem?: string | undefined };
}

export type Verified =
  | { kind: 'change'; change: Change }
  | { kind: 'failed'; summary: string; userMessage: string };

export const maxRounds = 5;
/** For these kinds of request, a check that failed before the change may be what the agent was asked to fix. */
const fixingKinds: Kind[] = ['fix', 'debug'];

type VerifyNeeds = Pick<Attempt, 'claim' | 'config' | 'record' | 'secrets' | 'stop'>;

export async function verify(
  attempt: VerifyNeeds,
  workspace: Workspace,
  { base, end, round }: { base: BaseChecks; end: AgentEnd; round: number },
): Promise<Verified> {
  const { sandbox, config } = workspace;
  const results = await runChecks(attempt, { sandbox, config, phase: 'verify', round });
  await workspace.saveRest();
  crashPoint('verified', round);
  const checks = await base.judge(results, round);
  if (end.kind === 'stopped') {
    const { reason, message, lastText } = end;
    return { kind: 'change', change: { summary: '', lastText, checks, shortfall: { reason, message } } };
  }
  const change: Change = { summary: end.text, checks };
  const failed = checks.filter(isCausedByChange);
  if (failed.length === 0) return mentionOldFailures(attempt, change, round);
  const names = failed.map(({ name }) => name).join(', ');
  if (round < maxRounds) {
    const userMessage = describeFailures(failed, attempt.secrets.masking.mask);
    return { kind: 'failed', summary: `${names} failed`, userMessage };
  }
  const message = `${names} still failed after ${round} rounds`;
  return { kind: 'change', change: { ...change, shortfall: { reason: 'verification_failed', message } } };
}

/** Old failures do not count against the change. The agent is asked about them once, if the request may be about them. */
function mentionOldFailures({ claim, secrets }: VerifyNeeds, change: Change, round: number): Verified {
  const failed = change.checks.filter(({ ok }) => !ok);
  const isDone = failed.length === 0 || round > 1 || !fixingKinds.includes(claim.operation.kind);
  if (isDone) return { kind: 'change', change };
  const names = failed.map(({ name }) => name).join(', ');
  return {
    kind: 'failed',
    summary: `${names} still ${failed.length === 1 ? 'fails, as it' : 'fail, as they'} did before the change`,
    userMessage: describeOldFailures(failed, secrets.masking.mask),
  };
}
