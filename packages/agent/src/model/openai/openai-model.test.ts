import { call, type Fault, say, startRehearsal, type Turn, think, turn } from '@fettle/rehearsal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resume } from '../../loop/resume.ts';
import { answerLimits } from '../answer-limits.ts';
import type { ModelAnswer } from '../model.ts';
import { askModel, testRetries } from '../testing/ask-model.ts';
import { converse, findBreaks, longConversation, sentBodies } from '../testing/long-conversation.ts';
import { type OpenaiOptions, openaiModel } from './openai-model.ts';
import { toChat } from './to-chat.ts';

const optionsFor = (url: string): OpenaiOptions => ({
  model: 'gpt-5.4',
  apiKey: 'a-key-of-ours',
  baseUrl: `${url}/v1`,
  maxOutputTokens: 1_000,
  maxRetries: 3,
  idleMs: 10_000,
});

const ask = (answer: Turn, options: Partial<OpenaiOptions> = {}, key?: string) =>
  askModel(
    answer,
    (url) => openaiModel({ ...optionsFor(url), ...options }),
    key === undefined ? {} : { apiKey: key },
  );

const hello = turn(say('hi'));
const withFaults = (...faults: Fault[]) => ({ ...hello, faults });

test('sends a valid chat completions request', async () => {
  const { sent } = await ask(hello, { effort: 'low' });
  expect(sent).toEqual({
    model: 'gpt-5.4',
    max_completion_tokens: 1_000,
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: 'low',
    messages: [
      { role: 'system', content: 'You fix things.' },
      { role: 'user', content: 'hello' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'read_file',
          description: 'Reads.',
          parameters: { type: 'object', properties: {} },
        },
      },
    ],
  });
});

test('returns reasoning, text and parallel calls, with their usage', async () => {
  const answer = turn(
    think('hm'),
    say('I look.'),
    call('read_file', { path: 'a' }),
    call('read_file', { path: 'b' }),
  );
  const usage = { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 90 };
  const { result } = await ask({
    answer: { ...answer.answer, usage: { ...usage, cache_creation_input_tokens: 0 } },
  });
  expect(result).toEqual({
    model: 'gpt-5.4',
    stopReason: 'tool',
    blocks: [
      { kind: 'reasoning', text: 'hm', block: { reasoning_content: 'hm' } },
      { kind: 'text', text: 'I look.' },
      { kind: 'tool', callId: expect.any(String), tool: 'read_file', input: { path: 'a' } },
      { kind: 'tool', callId: expect.any(String), tool: 'read_file', input: { path: 'b' } },
    ],
    usage: { inputTokens: 10, outputTokens: 7, cacheReadTokens: 90, cacheWriteTokens: 0 },
  });
});

testRetries((faults, options) => ask(withFaults(...faults), options));

test('a rejected key is not retried, and the message names its setting', async () => {
  const { result } = await ask(hello, {}, 'another');
  expect(result).toMatchObject({
    reason: 'model_rejected',
    message: '401: Incorrect API key provided. (check OPENAI_API_KEY)',
  });
});

test('a conversation that is too long has its own reason', async () => {
  const { result, counts } = await ask(withFaults({ overflow: true }));
  expect(result).toMatchObject({
    reason: 'context_overflow',
    message: expect.stringMatching(/^400: This model's maximum context length/),
  });
  expect(counts.requests).toBe(1);
});

test('an endless stream is cut and marked as cut', async () => {
  const { result } = await ask(withFaults({ endless: true }));
  expect(result).toMatchObject({ stopReason: 'cut', blocks: [{ kind: 'text' }] });
  const { blocks, usage } = result as ModelAnswer;
  expect(blocks[0]?.kind === 'text' && blocks[0].text.length).toBe(answerLimits.textBytes);
  expect(usage.outputTokens).toBeGreaterThanOrEqual(answerLimits.answerBytes / 4);
});

describe('a call whose input cannot be used keeps its place and says what is wrong', () => {
  test.each([
    ['{"path": ', /not valid JSON/],
    ['[1]', /not a JSON object/],
    ['not json', /not valid JSON/],
  ])('%s', async (rawInput, fault) => {
    const { result } = await ask(turn({ type: 'tool_use', name: 'read_file', rawInput }));
    expect((result as ModelAnswer).blocks).toEqual([
      {
        ...{ kind: 'tool', callId: expect.any(String), tool: 'read_file', input: {} },
        fault: expect.stringMatching(fault),
      },
    ]);
  });
});

test.each([
  ['max_tokens', 'cut'],
  ['refusal', 'refusal'],
] as const)('stop reason %s is %s', async (given, expected) => {
  const { result } = await ask({ answer: { ...hello.answer, stop_reason: given } });
  expect(result).toMatchObject({ stopReason: expected, blocks: [{ kind: 'text', text: 'hi' }] });
});

describe('over a long conversation', () => {
  test('each request extends the previous one, and a resume sends the same', async () => {
    // Only the Messages API has pauses.
    const turns = longConversation.turns.filter(({ answer }) => answer.stop_reason !== 'pause_turn');
    const server = await startRehearsal({ conversations: [{ ...longConversation, turns }] });
    onTestFinished(() => server.close());
    const talk = await converse(openaiModel(optionsFor(server.url)));
    expect(talk.ends.map(({ kind }) => kind)).toEqual(['done', 'done']);
    const bodies = sentBodies(server);
    expect(bodies).toHaveLength(turns.length);
    expect(findBreaks(bodies)).toEqual([]);
    const asked = (messages: typeof talk.messages) =>
      JSON.stringify(toChat({ system: 's', tools: [], messages }));
    expect(asked(resume(talk.events).conversation.messages)).toBe(asked(talk.messages));
    const reads = talk.events.flatMap((event) =>
      event.type === 'turn.finished' ? [event.usage.cacheReadTokens] : [],
    );
    expect(reads.filter((tokens) => tokens > 0)).toHaveLength(turns.length - 1);
  });
});

test('reasoning of other services and invalid tool names are not sent', () => {
  const block = { type: 'thinking', thinking: 'hm', signature: 's' };
  const messages = [
    {
      role: 'assistant' as const,
      turn: 1,
      blocks: [
        { kind: 'reasoning' as const, text: 'hm', block },
        { kind: 'tool' as const, callId: 'a', tool: 'functions.read file', input: {} },
      ],
    },
    { role: 'user' as const, items: [{ kind: 'result' as const, callId: 'a', output: 'no', isError: true }] },
    {
      role: 'assistant' as const,
      turn: 2,
      blocks: [{ kind: 'reasoning' as const, text: 'hm', block: null }],
    },
  ];
  expect(toChat({ system: 's', tools: [], messages })).toEqual({
    messages: [
      { role: 'system', content: 's' },
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'functions_read_file', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'This call failed:\nno' },
      { role: 'assistant', content: '(empty answer)' },
    ],
  });
});
