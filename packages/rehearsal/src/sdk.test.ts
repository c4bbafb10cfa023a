/** Tests with Anthropic's SDK. It is a dependency of the agent and not of this package, so it is loaded from there. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, conversation, say, think, turn } from './record/builders.ts';
import type { Fault } from './record/conversation.ts';
import { type Rehearsal, startRehearsal } from './start-rehearsal.ts';

const { Anthropic } = createRequire(new URL('../../agent/package.json', import.meta.url))(
  '@anthropic-ai/sdk',
);

const content = [think('Let me look.'), say('Reading 🦊.'), call('read', { path: 'a.ts', lines: [1, 2] })];
const blocks = [
  { type: 'thinking', thinking: 'Let me look.', signature: expect.any(String) },
  { type: 'text', text: 'Reading 🦊.' },
  { type: 'tool_use', name: 'read', input: { path: 'a.ts', lines: [1, 2] } },
];
const large = call('write', { content: { $repeat: { text: 'x', times: 5_000_000 } } });

const faulty = (match: string, fault: Fault) =>
  conversation(match, [{ ...turn(...content), faults: [fault] }], { match });

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await startRehearsal({
    conversations: [
      conversation('whole', [turn(...content), turn(say('Done.'))], { match: 'whole' }),
      conversation('large', [turn(large)], { match: 'large' }),
      faulty('limited', { status: 429, retryAfterSeconds: 0 }),
      faulty('failing', { status: 500 }),
      faulty('overloaded', { status: 529 }),
      faulty('late overload', { errorEvent: 'overloaded_error' }),
      faulty('broken', { break: 'mid-stream' }),
      faulty('unreachable', { break: 'before-headers' }),
      faulty('stalled', { stall: 'mid-stream' }),
      faulty('endless', { endless: true }),
    ],
  });
});
afterAll(() => rehearsal.close());

function ask(text: string, fields: object = {}) {
  return { model: 'claude-test', max_tokens: 1000, messages: [{ role: 'user', content: text }], ...fields };
}

function client() {
  return new Anthropic({ apiKey: 'any', baseURL: rehearsal.url, maxRetries: 0 });
}

test('streaming and non-streaming requests return the same message', async () => {
  const streamed = await client().messages.stream(ask('whole')).finalMessage();
  expect(streamed).toMatchObject({ stop_reason: 'tool_use', content: blocks });
  expect(await client().messages.create(ask('whole'))).toMatchObject({
    id: streamed.id,
    content: streamed.content,
  });
});

test('an answer that is sent back leads to the next turn', async () => {
  const first = await client().messages.create(ask('whole'));
  const results = [{ type: 'tool_result', tool_use_id: first.content[2].id, content: 'text' }];
  const messages = [
    { role: 'user', content: 'whole' },
    { role: 'assistant', content: first.content },
    { role: 'user', content: results },
  ];
  const second = await client().messages.create(ask('', { messages }));
  expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'Done.' }] });
});

test('five megabytes of input arrive', async () => {
  const message = await client().messages.stream(ask('large')).finalMessage();
  expect(message.content[0].input.content).toHaveLength(5_000_000);
});

test.each([
  ['limited', { status: 429, type: 'rate_limit_error' }],
  ['failing', { status: 500, type: 'api_error' }],
  ['late overload', { status: undefined, type: 'overloaded_error' }],
  ['overloaded', { status: 529, type: 'overloaded_error' }],
  ['broken', { message: 'terminated' }],
  ['unreachable', { message: 'Connection error.' }],
])('%s: an error once, then the answer', async (text, error) => {
  const attempt = () => client().messages.stream(ask(text)).finalMessage();
  await expect(attempt()).rejects.toMatchObject(error);
  expect(await attempt()).toMatchObject({ content: blocks });
});

test.each(['stalled', 'endless'])(
  '%s: an abort ends the stream and keeps what was received',
  async (text) => {
    const stream = client().messages.stream(ask(text));
    stream.once('streamEvent', () => setTimeout(() => stream.abort(), 50));
    await expect(stream.finalMessage()).rejects.toThrow('Request was aborted.');
    expect(stream.currentMessage.content).not.toHaveLength(0);
  },
);
