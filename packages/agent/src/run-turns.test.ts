import type { EventBody, Said } from '@fettle/contract';
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

/** Says one text after the other, and keeps what it was asked with. */
function talkingModel(texts: string[]): { model: Model; heard: string[] } {
  const heard: string[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    heard,
    model: {
      name: 'talking',
      async answer({ messages }) {
        heard.push(JSON.stringify(messages.at(-1)));
        const text = texts[heard.length - 1] ?? '';
        return { model: 'talking', blocks: [{ kind: 'text', text }], stopReason: 'end', usage };
      },
    },
  };
}

test('who believes to be done hears first what people said, and only what no turn on record names', async () => {
  const { model, heard } = talkingModel(['Done', 'Really done']);
  const waiting: Said[] = [];
  const recorded: EventBody[] = [];
  const end = await runTurns(
    { told: 'the request' },
    {
      ...optionsWith(1_000, new AbortController().signal),
      model,
      takeMessages: async () => [...waiting],
      async record(...events) {
        recorded.push(...events);
        if (events[0]?.type !== 'turn.started') return;
        const { turn, messages = [] } = events[0];
        waiting.splice(0, messages.length);
        if (turn === 1)
          waiting.push({ number: 1, by: 'Ada', text: 'wait' }, { number: 2, by: 'Bob', text: 'stop' });
      },
    },
  );
  expect(end).toEqual({ kind: 'done', text: 'Really done' });
  const told =
    'Ada, whose word counts like the request itself, says:\n\nwait\n\nBob, whose word counts like the request itself, says:\n\nstop';
  expect(recorded.filter(({ type }) => type === 'turn.started')).toEqual([
    { type: 'turn.started', turn: 1, round: 1, told: 'the request' },
    { type: 'turn.started', turn: 2, round: 1, told, messages: [1, 2] },
  ]);
  expect(heard[1]).toBe(JSON.stringify({ role: 'user', items: [{ kind: 'text', text: told }] }));
});

test('a turn that is begun anew names again what it tells again, and what came since', async () => {
  const { model } = talkingModel(['Done']);
  const recorded: EventBody[] = [];
  let waiting: Said[] = [{ number: 2, by: 'Ada', text: 'two' }];
  await runTurns(
    { told: 'one', messages: [1] },
    {
      ...optionsWith(1_000, new AbortController().signal),
      model,
      takeMessages: async () => waiting,
      async record(...events) {
        recorded.push(...events);
        waiting = [];
      },
    },
  );
  expect(recorded[0]).toMatchObject({ told: expect.stringMatching(/^one\n\nAda.*two$/s), messages: [1, 2] });
});
