import {
  call,
  conversation,
  type Fault,
  say,
  startRehearsal,
  type Turn,
  think,
  turn,
} from '@fettle/rehearsal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerLimits } from '../answer-limits.ts';
import type { ModelAnswer, ModelFailure } from '../model.ts';
import { askModel, helloRequest, testRetries } from '../testing/ask-model.ts';
import { type AnthropicOptions, anthropicModel } from './anthropic-model.ts';

const optionsFor = (baseUrl: string): AnthropicOptions => ({
  ...{ model: 'claude-sonnet-5-5', apiKey: 'key', baseUrl },
  ...{ maxOutputTokens: 4_000, maxRetries: 3, idleMs: 10_000 },
});
const ask = (answer: Turn, options: Partial<AnthropicOptions> = {}) =>
  askModel(answer, (url) => anthropicModel({ ...optionsFor(url), ...options }));

const hello = turn(say('hi'));
const withFaults = (...faults: Fault[]) => ({ ...hello, faults });

test('returns text, reasoning and calls in order, with their usage', async () => {
  const { result } = await ask(turn(think('hm'), say('I look.'), call('read_file', { path: 'a.ts' })));
  expect(result).toEqual({
    model: 'claude-sonnet-5-5',
    stopReason: 'tool',
    blocks: [
      {
        kind: 'reasoning',
        text: 'hm',
        block: { type: 'thinking', thinking: 'hm', signature: expect.any(String) },
      },
      { kind: 'text', text: 'I look.' },
      { kind: 'tool', callId: expect.stringMatching(/^toolu_/), tool: 'read_file', input: { path: 'a.ts' } },
    ],
    usage: {
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      cacheReadTokens: expect.any(Number),
      cacheWriteTokens: expect.any(Number),
    },
  });
});

testRetries((faults, options) => ask(withFaults(...faults), options));

test('a rejection by the service is not retried', async () => {
  const { result, counts } = await ask(withFaults({ status: 401 }));
  expect(result).toMatchObject({ name: 'ModelFailure', reason: 'model_rejected' });
  expect(counts.requests).toBe(1);
});

test.each<[string, Fault, RegExp]>([
  ['a prompt that is too long', { overflow: true }, /^400: prompt is too long/],
  ['a body that is too large', { status: 413 }, /^413: /],
])('%s has its own reason, and is not retried', async (_name, fault, message) => {
  const { result, counts } = await ask(withFaults(fault));
  expect(result).toMatchObject({
    ...{ name: 'ModelFailure', reason: 'context_overflow', message: expect.stringMatching(message) },
  });
  expect(counts.requests).toBe(1);
});

test('529 is retried three times, with growing pauses and jitter', async () => {
  const { result, pauses } = await ask(withFaults({ status: 529 }, { status: 529 }, { status: 529 }));
  expect(result).toMatchObject({ stopReason: 'end', blocks: [{ kind: 'text', text: 'hi' }] });
  expect(pauses).toHaveLength(3);
  for (const [index, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
    expect(pause).toBeLessThanOrEqual(500 * 2 ** index);
  }
});

describe('thinking and effort are asked for where they are configured', () => {
  test.each<[Partial<AnthropicOptions>, object]>([
    [{}, {}],
    [{ thinking: 'off' }, { thinking: { type: 'disabled' } }],
    [{ thinking: 'adaptive' }, { thinking: { type: 'adaptive' } }],
    [{ thinking: 2_048 }, { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
    [{ effort: 'high' }, { output_config: { effort: 'high' } }],
  ])('%o', async (options, expected) => {
    const { sent } = await ask(hello, options);
    const { thinking, output_config } = sent as Record<string, unknown>;
    expect({
      ...(thinking !== undefined && { thinking }),
      ...(output_config !== undefined && { output_config }),
    }).toEqual(expected);
  });
});

test('the context window follows from the name, unless it is set', () => {
  const windowOf = (model: string, contextTokens?: number) =>
    anthropicModel({ ...optionsFor('http://127.0.0.1'), model, contextTokens }).contextTokens;
  expect(windowOf('claude-sonnet-5-5')).toBe(1_000_000);
  expect(windowOf('claude-haiku-4-5-20251001')).toBe(200_000);
  expect(windowOf('something-else')).toBe(128_000);
  expect(windowOf('claude-sonnet-5-5', 64_000)).toBe(64_000);
});

test('a key that the service repeats is struck out', async () => {
  const model = { ...hello, faults: [{ status: 401 }] };
  const { result } = await ask(model, { apiKey: 'authentication_error' });
  expect((result as ModelFailure).message).toBe('401: [the key] (check ANTHROPIC_API_KEY)');
});

test('an endless stream is cut and marked as cut', async () => {
  const { result } = await ask(withFaults({ endless: true }));
  expect(result).toMatchObject({ stopReason: 'cut', blocks: [{ kind: 'text' }] });
  const [block] = (result as ModelAnswer).blocks;
  expect(block?.kind === 'text' && block.text.length).toBe(answerLimits.textBytes);
});

describe('a call whose input cannot be used keeps its place and says what is wrong', () => {
  test.each([
    ['{"path": ', /not valid JSON/],
    ['{"a": 1, "b": "unfin', /not valid JSON/],
    ['[1]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['not json', /not valid JSON/],
    [`{"path": ${'['.repeat(1_500)}${']'.repeat(1_500)}}`, /nested deeper than 100 levels/],
  ])('%.30s', async (rawInput, fault) => {
    const { result } = await ask(turn({ type: 'tool_use', name: 'read_file', rawInput }));
    expect((result as ModelAnswer).blocks).toEqual([
      {
        kind: 'tool',
        callId: expect.any(String),
        tool: 'read_file',
        input: {},
        fault: expect.stringMatching(fault),
      },
    ]);
  });

  test('5 MB of it', async () => {
    const { result } = await ask(turn(call('write_file', { content: 'x'.repeat(5_000_000) })));
    expect(result).toMatchObject({
      stopReason: 'cut',
      blocks: [{ kind: 'tool', input: {}, fault: expect.stringContaining('over the limit of 1000000') }],
    });
  });
});

test.each([
  ['max_tokens', 'cut'],
  ['pause_turn', 'pause'],
  ['model_context_window_exceeded', 'overflow'],
  ['refusal', 'refusal'],
] as const)('stop reason %s is %s', async (given, expected) => {
  const { answer } = hello;
  const { result } = await ask({ ...hello, answer: { ...answer, stop_reason: given } });
  expect(result).toMatchObject({ stopReason: expected });
});

test('an abort ends a stalled answer immediately', async () => {
  const server = await startRehearsal({
    conversations: [conversation('test', [withFaults({ stall: 'mid-stream' })])],
  });
  onTestFinished(() => server.close());
  const stop = new AbortController();
  const model = anthropicModel({ ...optionsFor(server.url), idleMs: 60_000 });
  const answer = model.answer(helloRequest, { signal: stop.signal, async onRetry() {} });
  setTimeout(() => stop.abort(new Error('stop')), 100);
  await expect(answer).rejects.toThrow('stop');
});
