import {
  call,
  conversation,
  type Fault,
  type Rehearsal,
  say,
  startRehearsal,
  think,
  turn,
} from '@fettle/rehearsal';
import { afterEach, describe, expect, test } from 'vitest';
import { anthropicModel } from './anthropic-model.ts';
import { answerLimits } from './collect-answer.ts';
import { type ModelAnswer, ModelFailure, type ModelRequest } from './model.ts';

const request: ModelRequest = {
  system: 'You mend things.',
  tools: [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', items: [{ kind: 'text', text: 'hello' }] }],
};

let server: Rehearsal | undefined;
afterEach(async () => server?.close());

async function ask(answer: ReturnType<typeof turn>, options: { maxRetries?: number; idleMs?: number } = {}) {
  server = await startRehearsal({ conversations: [conversation('test', [answer])], onFailure() {} });
  const model = anthropicModel({
    model: 'claude-sonnet-5-5',
    apiKey: 'key',
    baseUrl: server.url,
    maxOutputTokens: 1_000,
    maxRetries: options.maxRetries ?? 3,
    idleMs: options.idleMs ?? 10_000,
  });
  const retries: string[] = [];
  const result: ModelAnswer | ModelFailure = await model
    .answer(request, {
      signal: AbortSignal.timeout(30_000),
      async onRetry({ message }) {
        retries.push(message);
      },
    })
    .catch((error: unknown) => {
      if (error instanceof ModelFailure) return error;
      throw error;
    });
  return { result, retries, counts: server.counts() };
}

const hello = turn(say('hi'));
const withFaults = (...faults: Fault[]) => ({ ...hello, faults });

test('gives text, reasoning and calls in order, with what they cost', async () => {
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

describe('passing trouble is waited out', () => {
  test.each<[string, Fault[]]>([
    ['429', [{ status: 429, retryAfterSeconds: 0 }]],
    ['500 and 529', [{ status: 500 }, { status: 529 }]],
    ['a connection that breaks before the answer', [{ break: 'before-headers' }]],
    ['a stream that breaks', [{ break: 'mid-stream' }]],
    ['an error in the stream', [{ errorEvent: 'overloaded_error' }]],
  ])('%s', async (_name, faults) => {
    const { result, retries } = await ask(withFaults(...faults));
    expect(result).toMatchObject({ stopReason: 'end', blocks: [{ kind: 'text', text: 'hi' }] });
    expect(retries).toHaveLength(faults.length);
  });

  test('a stream that goes silent', async () => {
    const { result, retries } = await ask(withFaults({ stall: 'mid-stream' }), { idleMs: 300 });
    expect(result).toMatchObject({ blocks: [{ kind: 'text', text: 'hi' }] });
    expect(retries).toEqual(['the stream was silent for 0.3 s']);
  });

  test('but not for ever', async () => {
    const { result, counts } = await ask(withFaults({ status: 500 }, { status: 500 }, { status: 500 }), {
      maxRetries: 1,
    });
    expect(result).toMatchObject({ name: 'ModelFailure', reason: 'model_unreachable' });
    expect(counts.requests).toBe(2);
  });
});

test('a refusal of the service is not tried again', async () => {
  const { result, counts } = await ask(withFaults({ status: 401 }));
  expect(result).toMatchObject({ name: 'ModelFailure', reason: 'model_rejected' });
  expect(counts.requests).toBe(1);
});

test('an endless stream is cut and said to be', async () => {
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
  ])('%s', async (rawInput, fault) => {
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
  ['refusal', 'refusal'],
] as const)('stop reason %s is %s', async (given, expected) => {
  const { answer } = hello;
  const { result } = await ask({ ...hello, answer: { ...answer, stop_reason: given } });
  expect(result).toMatchObject({ stopReason: expected });
});

test('an abort ends a stalled answer at once', async () => {
  server = await startRehearsal({
    conversations: [conversation('test', [withFaults({ stall: 'mid-stream' })])],
  });
  const options = {
    model: 'm',
    apiKey: 'k',
    baseUrl: server.url,
    maxOutputTokens: 10,
    maxRetries: 3,
    idleMs: 60_000,
  };
  const stop = new AbortController();
  const answer = anthropicModel(options).answer(request, { signal: stop.signal, async onRetry() {} });
  setTimeout(() => stop.abort(new Error('stop')), 100);
  await expect(answer).rejects.toThrow('stop');
});
