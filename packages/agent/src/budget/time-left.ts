import type { Budgets } from '@fettle/contract';

/** Aborted when the budget of time is used up, in the middle of an answer too: a stream may drip for ever. */
export function whenTimeIsUp(budgets: Budgets, secondsSpent: number): AbortSignal {
  const secondsLeft = Math.max(0.001, budgets.seconds - secondsSpent);
  return AbortSignal.timeout(Math.ceil(secondsLeft * 1000));
}
