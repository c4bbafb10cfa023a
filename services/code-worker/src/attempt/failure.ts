import type { Outcome, ReasonCode } from '@fettle/contract';

/** An expected end of a stage. */
export interface Failure {
  ok: false;
  outcome: Outcome;
}

export function failure(reason: ReasonCode, message: string): Failure {
  return { ok: false, outcome: { kind: 'failure', reason, message } };
}
