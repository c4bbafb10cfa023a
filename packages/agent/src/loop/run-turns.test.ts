import type { Event, EventBody, Said } from '@fettle/contract';
import { describe, expect, test } from 'vitest';
import type { Model } from '../model/model.ts';
import type { RepetitionVerdict } from '../repetition/escalate.ts';
import { observeTurn } from '../repetition/observed-turn.ts';
import { createRepetitionWatch } from '../repetition/watch.ts';
import { callOf, type Line, openStage, prepareTurns, scriptedModel } from '../testing/stage.ts';
import { toolsFor } from '../tools/tool-set.ts';
import { resume } from './resume.ts';
import { runTurns } from './run-turns.ts';
import type { TurnOptions } from './turn-options.ts';

/** Never answers, and stops only when it is aborted. */
const hangingModel: Model = {
  name: 'hanging',
  contextTokens: 1_000,
  answer: (_request, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

const optionsWith = (seconds: number, signal: AbortSignal): TurnOptions =>
  prepareTurns(hangingModel, {
    budgets: { parts: 10, turns: 10, tokens: 1_000, usd: 10, seconds },
    record: async () => {},
    signal,
  }).options;

test('the time budget aborts an answer that does not end by itself', async () => {
  expect(await runTurns({ userMessage: 'hello' }, optionsWith(1, new AbortController().signal))).toEqual({
    kind: 'stopped',
    reason: 'budget_seconds',
    message: 'the budget of 1 seconds ran out in the middle of an answer',
  });
});

test('the next user message counts in the reservation: a request over the token budget is not sent', async () => {
  const { model, received } = talkingModel(['Done']);
  const options = { ...optionsWith(1_000, new AbortController().signal), model };
  const budgets = { ...options.budgets, tokens: 20_000 };
  const userMessage = 'a log line\n'.repeat(10_000);
  const stopped = { kind: 'stopped', reason: 'budget_tokens' };
  expect(await runTurns({ userMessage }, { ...options, budgets })).toMatchObject(stopped);
  const takeMessages = async () => [{ number: 1, by: 'Ada', text: userMessage }];
  expect(await runTurns({ userMessage: 'hello' }, { ...options, budgets, takeMessages })).toMatchObject(
    stopped,
  );
  expect(received).toEqual([]);
});

test('a cancellation in the middle of an answer does not count as a used-up budget', async () => {
  const stop = new AbortController();
  const turns = runTurns({ userMessage: 'hello' }, optionsWith(1_000, stop.signal));
  stop.abort(new Error('cancelled'));
  await expect(turns).rejects.toThrow('cancelled');
});

const stage = await openStage();
await stage.sandbox.run({ command: 'echo same > same.txt' });

describe('an agent that repeats itself', () => {
  const again: Line = [callOf('c', 'read_file', { path: 'same.txt' })];
  const lines: Line[] = Array.from({ length: 30 }, () => again);
  const prepare = () => {
    const { model, requests } = scriptedModel(lines);
    const tools = toolsFor('fix');
    const prepared = stage.prepare(model, { tools, repetition: createRepetitionWatch({ tools }) });
    return { ...prepared, requests };
  };

  test('gets a message, then loses the tool, then is stopped', async () => {
    const { options, events, requests } = prepare();
    const end = await runTurns({ userMessage: 'go' }, options);
    expect(end).toMatchObject({
      kind: 'stopped',
      reason: 'loop',
      message: expect.stringContaining('read_file'),
    });
    const told = events.flatMap((event) => (event.type === 'turn.started' ? [event.told] : []));
    expect(told.filter((text) => text !== undefined).length).toBeGreaterThanOrEqual(3);
    const statuses = events.flatMap((event) =>
      event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part.status] : [],
    );
    expect(new Set(statuses)).toEqual(new Set(['ok', 'denied']));
    expect(requests.length).toBeLessThan(15);
  });

  test('escalates in the same way after a resume, wherever it was interrupted', async () => {
    const whole = prepare();
    const end = await runTurns({ userMessage: 'go' }, whole.options);
    const cuts = whole.events.flatMap((event, index) =>
      event.type === 'part.finished' || event.type === 'turn.started' ? [index + 1] : [],
    );
    for (const cut of cuts) {
      const { conversation, start, answered } = resume(whole.events.slice(0, cut));
      const { options, events } = prepare();
      let verdict: RepetitionVerdict | undefined;
      for (const { number, blocks, finished, isFollowed } of answered) {
        const calls = finished.map((part) => ({ part, result: part }));
        const found = options.repetition?.observe(observeTurn(number, blocks, calls, options.tools));
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

/** Answers with one text after the other, and keeps the last message of each request. */
function talkingModel(texts: string[]): { model: Model; received: string[] } {
  const received: string[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    received,
    model: {
      name: 'talking',
      contextTokens: 1_000_000,
      async answer({ messages }) {
        received.push(JSON.stringify(messages.at(-1)));
        const text = texts[received.length - 1] ?? '';
        return { model: 'talking', blocks: [{ kind: 'text', text }], stopReason: 'end', usage };
      },
    },
  };
}

test('an agent that believes it is done first gets new messages, each of them once', async () => {
  const { model, received } = talkingModel(['Done', 'Really done']);
  const waiting: Said[] = [];
  const recorded: EventBody[] = [];
  const end = await runTurns(
    { userMessage: 'the request' },
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
    'Ada, whose messages count as much as the request itself, says:\n\nwait\n\nBob, whose messages count as much as the request itself, says:\n\nstop';
  expect(recorded.filter(({ type }) => type === 'turn.started')).toEqual([
    { type: 'turn.started', turn: 1, round: 1, told: 'the request' },
    { type: 'turn.started', turn: 2, round: 1, told, messages: [1, 2] },
  ]);
  expect(received[1]).toBe(JSON.stringify({ role: 'user', items: [{ kind: 'text', text: told }] }));
});

test('a turn that starts again contains the same messages and those that came since', async () => {
  const { model } = talkingModel(['Done']);
  const recorded: EventBody[] = [];
  let waiting: Said[] = [{ number: 2, by: 'Ada', text: 'two' }];
  await runTurns(
    { userMessage: 'one', messages: [1] },
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
