import { afterEach, expect, test } from 'vitest';
import { parseEvents } from '../../test/wire.ts';
import { call, conversation, say, think, turn } from '../record/builders.ts';
import type { Conversation } from '../record/conversation.ts';
import { type Rehearsal, startRehearsal } from '../start-rehearsal.ts';

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

async function start(...conversations: Conversation[]): Promise<void> {
  rehearsal = await startRehearsal({ conversations, apiKey: 'right', onFailure() {} });
}

const ask = { role: 'user', content: 'hello' };
const use = (id: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
});

function post(fields: object = {}, authorization = 'Bearer right'): Promise<Response> {
  return fetch(`${rehearsal.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ model: 'gpt-test', messages: [{ role: 'system', content: 's' }, ask], ...fields }),
  });
}

const textOf = async (response: Response) => (await response.text()).replace('data: [DONE]', '');

test('streams reasoning, text, pieces of calls, the end, and usage if it is requested', async () => {
  await start(
    conversation('a', [turn(think('Hm.'), say('Hi.'), call('read', { path: 'a.ts' }), call('list', {}))]),
  );
  const response = await post({ stream: true, stream_options: { include_usage: true } });
  const raw = await response.text();
  expect(raw.endsWith('data: [DONE]\n\n')).toBe(true);
  const chunks = parseEvents(raw.replace('data: [DONE]', '')) as unknown as {
    choices: { delta: Record<string, unknown>; finish_reason: string | null }[];
    usage?: object;
  }[];
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const joined = (field: string) => deltas.map((delta) => delta[field] ?? '').join('');
  expect([joined('reasoning_content'), joined('content')]).toEqual(['Hm.', 'Hi.']);
  const pieces = deltas.flatMap(
    ({ tool_calls }) => (tool_calls ?? []) as { index: number; function: { arguments: string } }[],
  );
  const argumentsOf = (index: number) =>
    pieces.flatMap((piece) => (piece.index === index ? [piece.function.arguments] : [])).join('');
  expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"path":"a.ts"}', '{}']);
  expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens_details: { cached_tokens: 0 } },
  });
  expect(await textOf(await post({ stream: true }))).not.toContain('usage');
});

test('answers without a stream, finds the turn by the messages, and caches the prompt', async () => {
  const expectation = { lastToolResult: { contains: ['content'], isError: true } };
  await start(conversation('a', [turn(call('read', {})), { ...turn(say('Done.')), expect: expectation }]));
  const first = (await (await post()).json()) as { choices: { message: { tool_calls: { id: string }[] } }[] };
  const [{ message }] = first.choices as [(typeof first.choices)[0]];
  const result = { role: 'tool', tool_call_id: message.tool_calls[0]?.id, content: 'the content' };
  const messages = [{ role: 'system', content: 's' }, ask, { ...message, content: null }, result];
  expect(await (await post({ messages })).json()).toMatchObject({
    choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens_details: { cached_tokens: expect.any(Number) } },
  });
  expect(rehearsal.failures()).toEqual([]);
});

test('errors have the format of this protocol', async () => {
  const faults = [{ status: 503 }, { overflow: true as const }];
  await start(conversation('a', [{ ...turn(say('Hi')), faults }]));
  expect((await post({}, 'Bearer wrong')).status).toBe(401);
  expect((await post({}, '')).status).toBe(401);
  expect(await (await post()).json()).toEqual({
    error: { message: 'Internal server error', type: 'api_error', param: null, code: null },
  });
  expect(await (await post()).json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
  expect((await post()).status).toBe(200);
});

test.each<[string, object]>([
  ['without .tool_result', { messages: [ask, { role: 'assistant', tool_calls: [use('a')] }, ask] }],
  ['not valid JSON', { messages: [ask, { role: 'assistant', tool_calls: [use('a', '{"x')] }, ask] }],
  ['non-empty content', { messages: [ask, { role: 'assistant', content: null }, ask] }],
  ['end with a user message', { messages: [ask, { role: 'assistant', content: 'x' }] }],
  ['tools', { tools: [] }],
])('refuses a request with "%s"', async (reason, fields) => {
  await start(conversation('a', [turn(say('Hi'))]));
  const response = await post(fields);
  expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(reason)]);
});
