/** The object that `fettle run --json` prints, and the exit code of `fettle run`. */
import type { Evidence, Operation, Outcome, ProofStatus, PullRequestRef, State } from '@fettle/contract';
import { type CliError, type ExitCode, exitCodes } from '../../cli-error.ts';

export interface RunResult {
  operationId: string | null;
  state: State | null;
  outcome: Outcome['kind'] | null;
  reason: string | null;
  branch: string | null;
  headCommit: string | null;
  pullRequest: PullRequestRef | null;
  draft: boolean | null;
  proof: ProofStatus | null;
  evidence: Evidence | null;
  answer: string | null;
  /** More detail than the reason code. */
  message: string | null;
  parts: number | null;
  turns: number | null;
  tokens: number | null;
  usd: number | null;
  durationMs: number | null;
  error?: { code: string; message: string; advice: string };
}

export function toRunResult(operation: Operation | undefined, error?: CliError): RunResult {
  const outcome = operation?.outcome ?? undefined;
  const proposal = outcome?.kind === 'proposal' ? outcome : undefined;
  return {
    operationId: operation?.id ?? null,
    state: operation?.state ?? null,
    outcome: outcome?.kind ?? null,
    reason: (outcome && 'reason' in outcome && outcome.reason) || null,
    branch: proposal?.branch ?? null,
    headCommit: proposal?.headCommit ?? null,
    pullRequest: proposal?.pullRequest ?? null,
    draft: proposal?.draft ?? null,
    proof: proposal?.proof ?? null,
    evidence: proposal?.evidence ?? null,
    answer: outcome?.kind === 'answer' ? outcome.answer : null,
    message: (outcome && 'message' in outcome && outcome.message) || null,
    parts: operation?.totals.parts ?? null,
    turns: operation?.totals.turns ?? null,
    tokens: operation?.totals.tokens ?? null,
    usd: operation?.totals.usd ?? null,
    durationMs: operation?.settledAt
      ? Date.parse(operation.settledAt) - Date.parse(operation.createdAt)
      : null,
    ...(error && { error: errorObject(error) }),
  };
}

export function errorObject({ code, message, advice }: CliError): NonNullable<RunResult['error']> {
  return { code, message, advice };
}

export function exitCodeOf({ state, outcome }: Operation): ExitCode {
  if (state === 'cancelled') return exitCodes.cancelled;
  // --plan asked for a plan, and the plan is ready.
  if (state === 'awaiting_plan') return exitCodes.done;
  if (state === 'rejected') return exitCodes.denied;
  switch (outcome?.kind) {
    case 'proposal':
    case 'answer':
      return exitCodes.done;
    case 'unchanged':
      return exitCodes.unchanged;
    case 'failure':
      return outcome.reason === 'sandbox_unavailable' ? exitCodes.unavailable : exitCodes.failed;
    default:
      return exitCodes.failed;
  }
}
