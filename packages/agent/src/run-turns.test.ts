import { createPathJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { startConversation } from './conversation.ts';
import type { Model } from './model/model.ts';
import { runTurns, type TurnOptions } from './run-turns.ts';

/** Answers never, and gives up only when it is told to. */
const drippingModel: Model = {
  name: 'dripping',
  answer: (_request, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

function optionsWith(seconds: number, signal: AbortSignal): TurnOptions {
  return {
    model: drippingModel,
    system: 's',
    tools: [],
    context: {} as TurnOptions['context'],
    judgePath: createPathJudge([]),
    saveChanges: async () => ({ changed: [], refused: [] }),
    conversation: startConversation(),
    budgets: { parts: 10, turns: 10, tokens: 1_000, seconds },
    round: 1,
    shouldYield: () => false,
    takeMessages: async () => [],
    secondsSpent: () => 0,
    record: async () => {},
    signal,
  };
}

test('the budget of time ends an answer that does not end by itself', async () => {
  expect(await runTurns({ told: 'hello' }, optionsWith(1, new AbortController().signal))).toEqual({
    kind: 'stopped',
    reason: 'budget_seconds',
    message: 'the 1 seconds were used up in the middle of an answer',
  });
});

test('a cancel in the middle of an answer is no end of a budget', async () => {
  const stop = new AbortController();
  const turns = runTurns({ told: 'hello' }, optionsWith(1_000, stop.signal));
  stop.abort(new Error('cancelled'));
  await expect(turns).rejects.toThrow('cancelled');
});
