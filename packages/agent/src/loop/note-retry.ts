import type { Agent, EventBody, Usage } from '@fettle/contract';
import { tokensOf } from '../budget/budget.ts';
import type { Retry } from '../model/model.ts';
import type { Conversation } from './conversation.ts';

/** What a try cost that came to nothing is paid, and on record. */
export function noteRetry(
  { lost, ...retry }: Retry,
  { conversation, by }: { conversation: Conversation; by?: Agent },
  { turn, pay }: { turn: number; pay(usage: Usage): void },
): EventBody {
  pay(lost);
  // The turn is not finished, and counts when it is.
  const totals = { ...conversation.totals, turns: turn - 1 };
  const paid = tokensOf(lost) > 0 ? { usage: lost, totals } : {};
  return { type: 'turn.retried', turn, ...(by && { by }), ...retry, ...paid };
}
