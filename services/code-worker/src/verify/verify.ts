/** Runs the repository's checks on the change. Failures go back to the agent, a limited number of times. */
import type { Finding, ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { AgentEnd } from '../act/act.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { Proof } from '../prove/assess-proof.ts';
import type { ProofSources } from '../prove/prove-commit.ts';
import { isCausedByChange, type JudgedCheck } from './base-checks.ts';
import { chooseChecks } from './choose-checks.ts';
import { askForTest, describeFailures } from './describe-failures.ts';
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
  /** Absent until the commit has been proven. */
  proof?: Proof;
  /** The findings of the reviewing agent. */
  review?: { findings: Finding[]; problem?: string | undefined };
}

export type Verified =
  | { kind: 'change'; change: Change }
  | { kind: 'failed'; summary: string; userMessage: string }
  /** Every check is as good as on the base, but no test shows the fault. */
  | { kind: 'test_wanted'; summary: string; userMessage: string; explanation: string };

export interface VerifyOptions extends ProofSources {
  end: AgentEnd;
  round: number;
  /** Whether the agent gets no further round. */
  isLastRound: boolean;
  /** The agent is asked at most once for a test that shows the fault. */
  canAskForTest: boolean;
}

type VerifyNeeds = Pick<Attempt, 'config' | 'record' | 'secrets' | 'stop'>;

export async function verify(
  attempt: VerifyNeeds,
  workspace: Workspace,
  { base, evidence, fresh, end, round, isLastRound, canAskForTest }: VerifyOptions,
): Promise<Verified> {
  const { sandbox, config, durations, withheld, recentChecks: recent, setupLack: lack } = workspace;
  const { commands, isPartial } = await chooseChecks(attempt, workspace);
  const results = await runChecks(attempt, {
    ...{
      sandbox,
      config: { ...config, commands },
      withheld,
      phase: 'verify',
      round,
      recent,
      durations,
      lack,
    },
  });
  await workspace.saveRest();
  crashPoint('verified', round);
  let checks = await base.judge(results, round);
  if (end.kind === 'stopped') {
    const { reason, message, lastText } = end;
    return { kind: 'change', change: { summary: '', lastText, checks, shortfall: { reason, message } } };
  }
  if (isPartial && !checks.some(isCausedByChange)) {
    const whole = await fresh.run(workspace.head(), round);
    // A set-up that fails there is reported by the proof, which does not repeat this run.
    if (whole.ok) checks = await base.judge(whole.checks, round);
  }
  const change: Change = { summary: end.text, checks };
  const failed = checks.filter(isCausedByChange);
  if (failed.length === 0) {
    if (!canAskForTest || isLastRound || workspace.head() === workspace.baseCommit)
      return { kind: 'change', change };
    const after = checks.find(({ name }) => name === 'test');
    const fault = await evidence.collect(workspace.head(), after);
    if (fault?.status !== 'none') return { kind: 'change', change };
    return {
      ...{ kind: 'test_wanted', summary: 'No test shows the fault.', userMessage: askForTest(fault) },
      explanation: end.text,
    };
  }
  const names = failed.map(({ name }) => name).join(', ');
  if (!isLastRound) {
    const userMessage = describeFailures(failed, attempt.secrets.masking.mask);
    return { kind: 'failed', summary: `${names} failed`, userMessage };
  }
  const message = `${names} still failed after ${round} rounds`;
  return { kind: 'change', change: { ...change, shortfall: { reason: 'verification_failed', message } } };
}
