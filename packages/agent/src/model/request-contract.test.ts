/** The requests of a long conversation are valid, complete, in order, marked for the cache, and never rewritten. */
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import { type Rehearsal, startRehearsal } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { resume } from '../loop/resume.ts';
import { anthropicModel } from './anthropic/anthropic-model.ts';
import { toAnthropic } from './anthropic/to-anthropic.ts';
import { converse, findBreaks, longConversation, sentBodies } from './testing/long-conversation.ts';

const mark = z.strictObject({ type: z.literal('ephemeral') });
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/),
  cache_control: mark.exactOptional(),
});
const assistantBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().regex(/\S/) }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
  }),
]);
const userBlock = z.discriminatedUnion('type', [
  text,
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().min(1),
    content: z.string().min(1),
    is_error: z.boolean(),
    cache_control: mark.exactOptional(),
  }),
]);
const requestSchema = z.strictObject({
  model: z.literal('claude-sonnet-5-5'),
  max_tokens: z.literal(8_000),
  stream: z.literal(true),
  thinking: z.strictObject({ type: z.literal('adaptive') }),
  system: z.tuple([text]),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      input_schema: z.looseObject({ type: z.literal('object') }),
      cache_control: mark.exactOptional(),
    }),
  ),
  messages: z.array(
    z.discriminatedUnion('role', [
      z.strictObject({ role: z.literal('user'), content: z.array(userBlock).min(1) }),
      z.strictObject({ role: z.literal('assistant'), content: z.array(assistantBlock).min(1) }),
    ]),
  ),
});

let server: Rehearsal;
let bodies: Record<string, unknown>[];
let talk: Awaited<ReturnType<typeof converse>>;
let requests: z.infer<typeof requestSchema>[];
beforeAll(async () => {
  server = await startRehearsal({ conversations: [longConversation] });
  const model = anthropicModel({
    ...{ model: 'claude-sonnet-5-5', apiKey: 'key', baseUrl: server.url, maxOutputTokens: 8_000 },
    ...{ maxRetries: 0, idleMs: 20_000, thinking: 'adaptive' },
  });
  talk = await converse(model);
  bodies = sentBodies(server);
  requests = bodies.map((body) => requestSchema.parse(body));
});
afterAll(() => server?.close());

test('every turn was sent, and is valid for the SDK', () => {
  expect(talk.ends).toEqual([
    { kind: 'done', text: 'Done.' },
    { kind: 'done', text: 'Mended.' },
  ]);
  const typed: MessageCreateParamsStreaming[] = requests;
  expect(typed).toHaveLength(longConversation.turns.length);
  expect(server.counts()).toMatchObject({ refused: 0, failed: 0 });
});

test('each call is followed by its result, all of them in the order of the calls', () => {
  const { messages } = requests.at(-1) ?? { messages: [] };
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const called = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (called.length === 0) continue;
    calls += called.length;
    const next = messages[index + 1];
    if (next?.role !== 'user') throw new Error(`message ${index} has calls, without results`);
    const answered = next.content.map((block) =>
      block.type === 'tool_result' ? block.tool_use_id : block.type,
    );
    expect(answered.slice(0, called.length)).toEqual(called);
  }
  expect(calls).toBe(30);
});

test('results of failed, unknown and cut calls are errors', () => {
  const results = (requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
  expect(results.slice(0, 7).map(({ is_error }) => is_error)).toEqual([
    ...[false, false, true, true, false, true, false],
  ]);
});

test('cache marks are on the last tool, the system prompt and the ends of the last two user messages', () => {
  for (const { tools, system, messages } of requests) {
    const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    const marked = messages.flatMap(({ content }, index) =>
      content.flatMap((block, place) =>
        'cache_control' in block ? [`${index}.${place - content.length}`] : [],
      ),
    );
    expect(marked).toEqual(users.slice(-2).map((index) => `${index}.-1`));
    expect(tools.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
    expect(system.map((block) => 'cache_control' in block)).toEqual([true]);
  }
});

test('each turn reads from the cache what the previous one read and wrote', () => {
  const usages = talk.events.flatMap((event) => (event.type === 'turn.finished' ? [event.usage] : []));
  expect(usages).toHaveLength(requests.length);
  for (const [index, usage] of usages.entries()) {
    const before = usages[index - 1];
    const known = before ? before.cacheReadTokens + before.cacheWriteTokens : 0;
    expect(usage.cacheReadTokens).toBe(known);
  }
  // Only the turn after a pause sends uncached tokens, because a pause adds no mark.
  expect(usages.filter(({ inputTokens }) => inputTokens > 0)).toHaveLength(1);
});

test('all reasoning is sent back, in its original place', () => {
  const recorded = longConversation.turns.slice(0, -1).flatMap(({ answer }) =>
    answer.content.flatMap((block) => {
      if (block.type === 'thinking') return [block.thinking];
      return block.type === 'redacted_thinking' ? [block.data] : [];
    }),
  );
  const sent = (requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'thinking') return [block.thinking];
      return block.type === 'redacted_thinking' ? [block.data] : [];
    }),
  );
  expect(sent).toEqual(recorded);
  expect(sent).toHaveLength(17);
});

test('a paused answer is sent back without a user message', () => {
  expect(requests[6]?.messages.at(-1)).toMatchObject({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'A while.' }, { text: 'I will go on' }],
  });
});

test('each request extends the previous one, byte for byte', () => {
  expect(findBreaks(bodies)).toEqual([]);
});

test('a resumed worker sends the same request, byte for byte', () => {
  const asked = (messages: typeof talk.messages) =>
    JSON.stringify(toAnthropic({ system: 's', tools: [], messages }));
  expect(asked(resume(talk.events).conversation.messages)).toBe(asked(talk.messages));
  // For an interruption before each answer.
  const starts = talk.events.flatMap((event, index) => (event.type === 'turn.started' ? [index] : []));
  for (const [turn, index] of starts.entries()) {
    const { conversation, start } = resume(talk.events.slice(0, index + 1));
    const { messages } = conversation;
    if (start.userMessage !== undefined)
      messages.push({ role: 'user', items: [{ kind: 'text', text: start.userMessage }] });
    const { messages: rebuilt } = toAnthropic({ system: 's', tools: [], messages });
    expect(JSON.stringify(rebuilt)).toBe(JSON.stringify(bodies[turn]?.messages));
  }
});
