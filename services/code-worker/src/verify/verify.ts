/** The repository's own checks judge what the agent left; what they find goes back to it, a bounded number of times. */
import type { TurnsEnd } from '@fettle/agent';
import type { Finding, Kind, ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Work } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type BaseChecks, isBlamed, type JudgedCheck } from './base-checks.ts';
import { describeFailures, describeRedBefore } from './describe-failures.ts';
import { runChecks } from './run-checks.ts';

export interface Change {
  kind: 'change';
  /** The agent's own words on what it did. */
  summary: string;
  /** What it said last, where it had to stop before it could sum up. */
  lastWords?: string | undefined;
  checks: JudgedCheck[];
  /** Set when the change is not what was asked for: it is proposed as a draft. */
  shortfall?: { reason: ReasonCode; message: string };
  /** What a second agent found in it. */
  review?: { findings: Finding[]; problem?: string | undefined };
}

export type Verified = Change | { kind: 'again'; failed: string; told: string };

export const maxRounds = 5;
/** Asked for one of these, a check that was red before may be the very thing to mend. */
const mending: Kind[] = ['fix', 'debug'];

export async function verify(
  work: Work,
  workspace: Workspace,
  base: BaseChecks,
  { end, round }: { end: Exclude<TurnsEnd, { kind: 'yielded' }>; round: number },
): Promise<Verified> {
  const { sandbox, config } = workspace;
  const ran = await runChecks(work, { sandbox, config, phase: 'verify', round });
  await workspace.saveRest();
  crashPoint('verified', round);
  const checks = await base.judge(ran, round);
  if (end.kind === 'stopped') {
    const { reason, message, lastWords } = end;
    return { kind: 'change', summary: '', lastWords, checks, shortfall: { reason, message } };
  }
  const change: Change = { kind: 'change', summary: end.text, checks };
  const blamed = checks.filter(isBlamed);
  const names = blamed.map(({ name }) => name).join(', ');
  if (blamed.length === 0) return noteRedBefore(work, change, round);
  if (round < maxRounds)
    return { kind: 'again', failed: names, told: describeFailures(blamed, work.masking.mask) };
  const message = `${names} still failed after ${round} rounds`;
  return { ...change, shortfall: { reason: 'verification_failed', message } };
}

/** Not the change's fault, and said once where it may be what the request is about. */
function noteRedBefore({ claim, masking }: Work, change: Change, round: number): Verified {
  const before = change.checks.filter(({ ok }) => !ok);
  const isDone = before.length === 0 || round > 1 || !mending.includes(claim.operation.kind);
  if (isDone) return change;
  const failed = before.map(({ name }) => name).join(', ');
  return { kind: 'again', failed: `as before, ${failed}`, told: describeRedBefore(before, masking.mask) };
}
