import type { Agent, EventBody, Usage } from '@fettle/contract';
import { deadlineFor, type Overspent, type Reservation, tokensOf } from '../budget/budget.ts';
import { type ModelAnswer, ModelFailure, type Retry } from '../model/model.ts';
import type { Conversation } from './conversation.ts';
import type { Stopped, TurnOptions } from './turn-options.ts';

export interface Question {
  turn: number;
  maxOutputTokens: number;
  /** Resolves when the start of the turn is recorded. No other event of the turn may come before it. */
  turnStarted: Promise<void>;
  /** Compacts the conversation, if possible. */
  makeRoom(): Promise<boolean>;
  pay(usage: Usage): void;
  reserve(): Reservation;
}

const maxOverflows = 2;

/** Asks for one answer. If the conversation does not fit the context window, compacts it and asks again. */
export async function ask(options: TurnOptions, question: Question): Promise<ModelAnswer | Stopped> {
  for (let overflows = 0; ; overflows++) {
    const answer = await askOnce(options, question);
    if (!('kind' in answer) || answer.reason !== 'context_overflow' || overflows >= maxOverflows)
      return answer;
    await question.turnStarted;
    if (!(await question.makeRoom())) return answer;
  }
}

/** The cost of failed tries left no budget for another try. */
class BudgetGone extends Error {
  readonly why: Overspent;

  constructor(why: Overspent) {
    super(why.message);
    this.why = why;
  }
}

async function askOnce(options: TurnOptions, question: Question): Promise<ModelAnswer | Stopped> {
  const { model, system, tools, conversation, signal, budgets } = options;
  const { maxOutputTokens } = question;
  const deadline = deadlineFor(budgets, options.secondsSpent());
  try {
    return await model.answer(
      { system, tools, messages: conversation.messages, maxOutputTokens },
      {
        signal: AbortSignal.any([signal, deadline]),
        async onRetry(retry) {
          await question.turnStarted;
          await options.record(payRetry(retry, options, question));
        },
        roomLeft() {
          const room = question.reserve();
          if (room.ok) return room.maxOutputTokens;
          throw new BudgetGone(room);
        },
      },
    );
  } catch (error) {
    if (error instanceof BudgetGone) return stoppedBy(error.why);
    if (error instanceof ModelFailure) {
      question.pay(error.lost);
      return stoppedBy(error);
    }
    if (signal.aborted || !deadline.aborted) throw error;
    const message = `the budget of ${budgets.seconds} seconds ran out in the middle of an answer`;
    return stoppedBy({ reason: 'budget_seconds', message });
  }
}

function stoppedBy({ reason, message }: Overspent): Stopped {
  return { kind: 'stopped', reason, message };
}

/** Pays for a failed try, and returns the event that records it. */
export function payRetry(
  { lost, ...retry }: Retry,
  { conversation, by }: { conversation: Conversation; by?: Agent },
  { turn, pay }: { turn: number; pay(usage: Usage): void },
): EventBody {
  pay(lost);
  // The current turn is not finished, so it does not count yet.
  const totals = { ...conversation.totals, turns: turn - 1 };
  const paid = tokensOf(lost) > 0 ? { usage: lost, totals } : {};
  return { type: 'turn.retried', turn, ...(by && { by }), ...retry, ...paid };
}
