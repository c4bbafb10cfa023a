/** A service charges for an answer that breaks off, so budgets count failed tries too. */
import { afterEach, expect, test } from 'vitest';
import { anthropicModel } from '../model/anthropic/anthropic-model.ts';
import { createRawServer, stream } from '../model/testing/raw-wire.ts';
import { openStage } from '../testing/stage.ts';
import { runTurns } from './run-turns.ts';

const server = createRawServer();
afterEach(() => server.close());
const stage = await openStage();

const event = (type: string, body: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
const begin = event('message_start', {
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 9_000 },
  },
});
const whole =
  begin +
  event('content_block_start', { index: 0, content_block: { type: 'text', text: 'done' } }) +
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } }) +
  event('message_stop', {});

/** The stream breaks off `breaks` times before it is answered. */
async function playWith(breaks: number, tokens: number) {
  let asked = 0;
  const baseUrl = await server.listen((response) => stream(response, asked++ < breaks ? begin : whole));
  const settings = {
    model: 'm',
    apiKey: 'k',
    baseUrl,
    maxOutputTokens: 1_000,
    maxRetries: 5,
    idleMs: 10_000,
  };
  const budgets = { parts: 100, turns: 100, tokens, usd: 100, seconds: 100 };
  const { options, events } = stage.prepare(anthropicModel(settings), { budgets, maxOutputTokens: 1_000 });
  const end = await runTurns({ userMessage: 'the request' }, options);
  return { end, events, asked: () => asked, totals: options.conversation.totals };
}

test('failed tries are paid and recorded in order', async () => {
  const { end, events, totals } = await playWith(1, 100_000);
  expect(end).toEqual({ kind: 'done', text: 'done' });
  expect(totals.tokens).toBe(18_010);
  expect(events).toMatchObject([
    { type: 'turn.started' },
    { type: 'turn.retried', usage: { inputTokens: 9_000 }, totals: { tokens: 9_000, turns: 0 } },
    { type: 'part.finished' },
    {
      type: 'turn.finished',
      usage: { inputTokens: 9_000, outputTokens: 10 },
      totals: { tokens: 18_010, turns: 1 },
    },
  ]);
});

test('a retry that the budget does not allow is not made', async () => {
  const { end, events, asked, totals } = await playWith(5, 18_200);
  expect(end).toMatchObject({ kind: 'stopped', reason: 'budget_tokens' });
  expect(asked()).toBe(2);
  expect(totals.tokens).toBe(18_000);
  expect(events.at(-1)).toMatchObject({
    type: 'turn.failed',
    reason: 'budget_tokens',
    totals: { tokens: 18_000 },
  });
});
