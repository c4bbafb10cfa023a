import type { Event, EventBody, Said } from '@fettle/contract';
import { createPathJudge } from '@fettle/policy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noHooks } from '../calls/hooks.ts';
import { noSecretTokens } from '../calls/place-secrets.ts';
import type { Model } from '../model/model.ts';
import { noteTurn } from '../repetition/note-turn.ts';
import type { LoopVerdict } from '../repetition/noted-turn.ts';
import { createLoopWatch } from '../repetition/watch.ts';
import { callOf, type Line, openStage, scriptedModel } from '../testing/stage.ts';
import { toolsFor } from '../tools/tool-set.ts';
import { startConversation } from './conversation.ts';
import { resume } from './resume.ts';
import { runTurns, type TurnOptions } from './run-turns.ts';

/** Answers never, and gives up only when it is told to. */
const drippingModel: Model = {
  name: 'dripping',
  contextTokens: 1_000,
  answer: (_request, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

function optionsWith(seconds: number, signal: AbortSignal): TurnOptions {
  return {
    model: drippingModel,
    system: 's',
    tools: [],
    context: {} as TurnOptions['context'],
    judgePath: createPathJudge(),
    commandPolicy: { mode: 'contained' },
    secrets: noSecretTokens,
    mask: (text) => text,
    hooks: noHooks,
    costOf: () => undefined,
    window: { tokens: 200_000, compactAt: 0.85, keepTokens: 40_000 },
    maxOutputTokens: 16_000,
    saveChanges: async () => ({ changed: [], refused: [] }),
    conversation: startConversation(),
    budgets: { parts: 10, turns: 10, tokens: 1_000, usd: 10, seconds },
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

test('what is about to be said is reserved too: a request that the tokens have no room for is not sent', async () => {
  const { model, heard } = talkingModel(['Done']);
  const options = { ...optionsWith(1_000, new AbortController().signal), model };
  const budgets = { ...options.budgets, tokens: 20_000 };
  const told = 'a log line\n'.repeat(10_000);
  const stopped = { kind: 'stopped', reason: 'budget_tokens' };
  expect(await runTurns({ told }, { ...options, budgets })).toMatchObject(stopped);
  const takeMessages = async () => [{ number: 1, by: 'Ada', text: told }];
  expect(await runTurns({ told: 'hello' }, { ...options, budgets, takeMessages })).toMatchObject(stopped);
  expect(heard).toEqual([]);
});

test('a cancel in the middle of an answer is no end of a budget', async () => {
  const stop = new AbortController();
  const turns = runTurns({ told: 'hello' }, optionsWith(1_000, stop.signal));
  stop.abort(new Error('cancelled'));
  await expect(turns).rejects.toThrow('cancelled');
});

describe('an agent that goes round in circles', () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    stage = await openStage();
    await stage.sandbox.run({ command: 'echo same > same.txt' });
  });
  afterAll(() => stage?.close());

  const again: Line = [callOf('c', 'read_file', { path: 'same.txt' })];
  const lines: Line[] = Array.from({ length: 30 }, () => again);
  const prepare = () => {
    const { model, requests } = scriptedModel(lines);
    const tools = toolsFor('fix');
    const prepared = stage.prepare(model, { tools, loops: createLoopWatch({ tools }) });
    return { ...prepared, requests };
  };

  test('is told, then the tool is withheld, then it ends', async () => {
    const { options, events, requests } = prepare();
    const end = await runTurns({ told: 'go' }, options);
    expect(end).toMatchObject({
      kind: 'stopped',
      reason: 'loop',
      message: expect.stringContaining('read_file'),
    });
    const told = events.flatMap((event) => (event.type === 'turn.started' ? [event.told] : []));
    expect(told.filter((words) => words !== undefined).length).toBeGreaterThanOrEqual(3);
    const statuses = events.flatMap((event) =>
      event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part.status] : [],
    );
    expect(new Set(statuses)).toEqual(new Set(['ok', 'denied']));
    expect(requests.length).toBeLessThan(15);
  });

  test('is as far on the way to its end after a resume as without one, wherever it was cut off', async () => {
    const whole = prepare();
    const end = await runTurns({ told: 'go' }, whole.options);
    const cuts = whole.events.flatMap((event, index) =>
      event.type === 'part.finished' || event.type === 'turn.started' ? [index + 1] : [],
    );
    for (const cut of cuts) {
      const { conversation, start, noted } = resume(whole.events.slice(0, cut));
      const { options, events } = prepare();
      let verdict: LoopVerdict | undefined;
      for (const { number, blocks, finished, isFollowed } of noted) {
        const calls = finished.map((part) => ({ part, result: part }));
        const found = options.loops?.noteTurn(noteTurn(number, blocks, calls, options.tools));
        verdict = isFollowed ? undefined : found;
      }
      expect({ cut, end: await runTurns({ ...start, verdict }, { ...options, conversation }) }).toEqual({
        cut,
        end,
      });
      const told = (all: Event[]) =>
        all.flatMap((event) => (event.type === 'turn.started' ? [[event.turn, event.told]] : []));
      expect(told(events)).toEqual(
        told(whole.events).slice(-told(events).length || Number.POSITIVE_INFINITY),
      );
    }
  });
});

/** Says one text after the other, and keeps what it was asked with. */
function talkingModel(texts: string[]): { model: Model; heard: string[] } {
  const heard: string[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    heard,
    model: {
      name: 'talking',
      contextTokens: 1_000_000,
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
