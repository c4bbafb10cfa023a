import type { Usage } from '@fettle/contract';
import type { Overspent, Reservation } from '../budget/budget.ts';
import { whenTimeIsUp } from '../budget/time-left.ts';
import { type ModelAnswer, ModelFailure } from '../model/model.ts';
import { noteRetry } from './note-retry.ts';
import type { Stopped, TurnOptions } from './run-turns.ts';

export interface Asking {
  turn: number;
  maxOutputTokens: number;
  /** Resolves when the turn is on record as started: nothing of it can stand before that. */
  begun: Promise<void>;
  /** Makes the conversation shorter, where that can be done. */
  makeRoom(): Promise<boolean>;
  /** Takes in what was paid. */
  pay(usage: Usage): void;
  reserve(): Reservation;
}

const mostOverflows = 2;

/** One answer. What does not fit is made shorter and asked again; why there is none is said in words. */
export async function ask(options: TurnOptions, asking: Asking): Promise<ModelAnswer | Stopped> {
  for (let overflows = 0; ; overflows++) {
    const answer = await askOnce(options, asking);
    if (!('kind' in answer) || answer.reason !== 'context_overflow' || overflows >= mostOverflows)
      return answer;
    await asking.begun;
    if (!(await asking.makeRoom())) return answer;
  }
}

/** What was lost by tries that failed leaves no room for another one. */
class RoomGone extends Error {
  readonly why: Overspent;

  constructor(why: Overspent) {
    super(why.message);
    this.why = why;
  }
}

async function askOnce(options: TurnOptions, asking: Asking): Promise<ModelAnswer | Stopped> {
  const { model, system, tools, conversation, signal, budgets } = options;
  const { maxOutputTokens } = asking;
  const deadline = whenTimeIsUp(budgets, options.secondsSpent());
  try {
    return await model.answer(
      { system, tools, messages: conversation.messages, maxOutputTokens },
      {
        signal: AbortSignal.any([signal, deadline]),
        async onRetry(retry) {
          await asking.begun;
          await options.record(noteRetry(retry, options, asking));
        },
        roomLeft() {
          const room = asking.reserve();
          if (room.ok) return room.maxOutputTokens;
          throw new RoomGone(room);
        },
      },
    );
  } catch (error) {
    if (error instanceof RoomGone) return stoppedBy(error.why);
    if (error instanceof ModelFailure) {
      asking.pay(error.lost);
      return stoppedBy(error);
    }
    if (signal.aborted || !deadline.aborted) throw error;
    const message = `the ${budgets.seconds} seconds were used up in the middle of an answer`;
    return stoppedBy({ reason: 'budget_seconds', message });
  }
}

function stoppedBy({ reason, message }: Overspent): Stopped {
  return { kind: 'stopped', reason, message };
}
