import { type ModelAnswer, ModelFailure } from './model/model.ts';
import type { Stopped, TurnOptions } from './run-turns.ts';

export interface Asking {
  turn: number;
  maxOutputTokens: number;
  /** Makes the conversation shorter, where that can be done. */
  makeRoom(): Promise<boolean>;
}

const mostOverflows = 2;

/** One answer. What does not fit is made shorter and asked again; why there is none is said in words. */
export async function ask(options: TurnOptions, asking: Asking): Promise<ModelAnswer | Stopped> {
  for (let overflows = 0; ; overflows++) {
    const answer = await askOnce(options, asking);
    if (!('kind' in answer) || answer.reason !== 'context_overflow' || overflows >= mostOverflows)
      return answer;
    if (!(await asking.makeRoom())) return answer;
  }
}

/** The budget of time binds in the middle of an answer too: a stream may drip for ever. */
async function askOnce(
  options: TurnOptions,
  { turn, maxOutputTokens }: Asking,
): Promise<ModelAnswer | Stopped> {
  const { model, system, tools, conversation, record, signal, budgets, by } = options;
  const deadline = endOfTime(options);
  try {
    return await model.answer(
      { system, tools, messages: conversation.messages, maxOutputTokens },
      {
        signal: AbortSignal.any([signal, deadline]),
        onRetry: (retry) => record({ type: 'turn.retried', turn, ...(by && { by }), ...retry }),
      },
    );
  } catch (error) {
    if (error instanceof ModelFailure)
      return { kind: 'stopped', reason: error.reason, message: error.message };
    if (signal.aborted || !deadline.aborted) throw error;
    const message = `the ${budgets.seconds} seconds were used up in the middle of an answer`;
    return { kind: 'stopped', reason: 'budget_seconds', message };
  }
}

/** Aborted when the budget of time is used up. */
export function endOfTime({ budgets, secondsSpent }: Pick<TurnOptions, 'budgets' | 'secondsSpent'>) {
  const secondsLeft = Math.max(0.001, budgets.seconds - secondsSpent());
  return AbortSignal.timeout(Math.ceil(secondsLeft * 1000));
}
