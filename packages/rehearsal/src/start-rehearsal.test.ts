import { afterEach, expect, test } from 'vitest';
import { ask, headers, parseEvents, post } from '../test/wire.ts';
import type { Failure } from './journal.ts';
import { call, conversation, say, think, turn } from './record/builders.ts';
import type { Conversation } from './record/conversation.ts';
import { type Rehearsal, type RehearsalOptions, startRehearsal } from './start-rehearsal.ts';

let rehearsal: Rehearsal;
afterEach(() => rehearsal.close());

const unheard: Failure[] = [];
async function start(
  conversations: Conversation[],
  options: Partial<RehearsalOptions> = {},
): Promise<string> {
  const onFailure = (failure: Failure) => unheard.push(failure);
  rehearsal = await startRehearsal({ conversations, onFailure, ...options });
  return rehearsal.url;
}

test('streams the events of the real API in their order', async () => {
  const url = await start([
    conversation('a', [turn(think('Hm.'), say('Hi.'), call('read', { path: 'a.ts' }))]),
  ]);
  const response = await post(url, { stream: true });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events = parseEvents(await response.text());
  const types = events.map((event) => event.type);
  const runs = types.filter((type, index) => type !== types[index - 1]);
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
  expect(runs).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_stop',
    ...block,
    ...block,
    'message_delta',
    'message_stop',
  ]);
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'tool_use' },
    usage: { cache_read_input_tokens: 0 },
  });
  const pieces = events.flatMap(({ delta }) => (delta as { partial_json?: string })?.partial_json ?? []);
  expect(pieces.length).toBeGreaterThan(2);
  expect(JSON.parse(pieces.join(''))).toEqual({ path: 'a.ts' });
});

test('gives the same answer to the same request, with the same ids', async () => {
  const url = await start([conversation('a', [turn(call('read', {}))])]);
  const [first, second] = [await (await post(url, {})).text(), await (await post(url, {})).text()];
  expect(first).toBe(second);
});

test('counts assistant messages to find the turn, and starts over in a cycle', async () => {
  const url = await start([conversation('a', [turn(say('one')), turn(say('two'))], { cycle: true })]);
  const said = async (rounds: number) => {
    const before = Array.from({ length: rounds }, () => [{ role: 'assistant', content: 'x' }, ask('go on')]);
    const response = await post(url, { messages: [ask('hello'), ...before.flat()] });
    return ((await response.json()) as { content: { text: string }[] }).content[0]?.text;
  };
  expect([await said(0), await said(1), await said(2), await said(1)]).toEqual(['one', 'two', 'one', 'two']);
});

test('only an answer that paused can be the last message of a request', async () => {
  const pause = { answer: { content: [say('one')], stop_reason: 'pause_turn' as const } };
  const url = await start([conversation('a', [pause, turn(say('two')), turn(say('three'))])]);
  const answer = (content: string) => ({ role: 'assistant', content });
  const said = async (...messages: object[]) =>
    (await post(url, { messages: [ask('hello'), ...messages] })).text();
  expect(await said()).toContain('pause_turn');
  expect(await said(answer('one'))).toContain('two');
  expect(await said(answer('one'), answer('two'))).toContain('must end with a user message');
  expect(await said(answer('one'), answer('two'), ask('more'))).toContain('three');
});

test('takes the first conversation whose match fits', async () => {
  const url = await start([
    conversation('login', [turn(say('login'))], { match: 'login page' }),
    conversation('number', [turn(say('number'))], { match: { pattern: 'issue #\\d+' } }),
    conversation('rest', [turn(say('rest'))]),
  ]);
  for (const text of ['the login page', 'see issue #7', 'other']) await post(url, { messages: [ask(text)] });
  expect(rehearsal.requests().map((it) => it.conversation)).toEqual(['login', 'number', 'rest']);
});

test('a request beyond the end of the record fails and is reported', async () => {
  const url = await start([conversation('short', [turn(say('one'))])]);
  const messages = [ask('hello'), { role: 'assistant', content: 'one' }, ask('more')];
  const response = await post(url, { messages });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    type: 'error',
    error: { type: 'rehearsal_error', message: 'rehearsal short, turn 2: the record has only 1 turns' },
    request_id: response.headers.get('request-id'),
  });
  expect(rehearsal.failures()).toMatchObject([{ conversation: 'short', turn: 2, lastMessages: [{}, {}] }]);
  expect(unheard).toEqual(rehearsal.failures());
  expect(rehearsal.counts()).toEqual({ requests: 1, answered: 0, faulted: 0, refused: 0, failed: 1 });
});

test('each request uses up one fault of the turn, and then the answer is sent', async () => {
  const faults = [
    { status: 429, retryAfterSeconds: 3 },
    { status: 529 },
    { break: 'before-headers' as const },
  ];
  const url = await start([conversation('a', [{ ...turn(say('at last')), faults }])]);
  const limited = await post(url, {});
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await (await post(url, {})).json()).toMatchObject({ error: { type: 'overloaded_error' } });
  await expect(post(url, {})).rejects.toThrow('fetch failed');
  expect(await (await post(url, {})).json()).toMatchObject({ content: [{ text: 'at last' }] });
});

test('a stream that breaks off sends its first events', async () => {
  const url = await start([
    conversation('a', [{ ...turn(say('Hello there')), faults: [{ break: 'mid-stream' }] }]),
  ]);
  const response = await post(url, { stream: true });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })();
  await expect(reading).rejects.toThrow('terminated');
  expect(parseEvents(text).map((event) => event.type)).toContain('content_block_delta');
  expect(text).not.toContain('message_stop');
});

test('close ends stalled and endless answers at once', async () => {
  const faults = [
    { stall: 'mid-stream' as const },
    { endless: true as const },
    { stall: 'before-headers' as const },
  ];
  const url = await start([conversation('a', [{ ...turn(say('Hello')), faults }])]);
  const bodies = [await post(url, { stream: true }), await post(url, { stream: true })].map((it) =>
    it.text(),
  );
  const pending = [...bodies, post(url, {})];
  const ends = Promise.allSettled(pending);
  await expect.poll(() => rehearsal.counts().faulted).toBe(3);
  await rehearsal.close();
  expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('an invalid input is sent unchanged', async () => {
  const url = await start([
    conversation('a', [turn({ type: 'tool_use', name: '../x', rawInput: '{"a": ' })]),
  ]);
  const events = parseEvents(await (await post(url, { stream: true })).text());
  const pieces = events.flatMap(({ delta }) => (delta as { partial_json?: string })?.partial_json ?? []);
  expect(pieces.join('')).toBe('{"a": ');
  expect(await (await post(url, {})).text()).toContain('"input":{"a": ,');
});

test('requires a key and a version', async () => {
  const url = await start([conversation('a', [turn(say('Hi'))])], { apiKey: 'right' });
  const status = async (headers: Record<string, string>) => (await post(url, {}, { headers })).status;
  const { 'x-api-key': _, ...bare } = headers;
  expect(await status(bare)).toBe(401);
  expect(await status(headers)).toBe(401);
  expect(await status({ ...headers, 'x-api-key': 'right' })).toBe(200);
  expect(await status({ ...bare, authorization: 'Bearer right' })).toBe(200);
  expect(await status({ 'x-api-key': 'right' })).toBe(400);
});

test('refuses a body that is too large, or is not JSON', async () => {
  const url = await start([conversation('a', [turn(say('Hi'))])]);
  const large = await post(url, {}, { body: Buffer.alloc(64 * 1024 * 1024 + 1, ' ') });
  expect([large.status, await large.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
  expect((await post(url, {}, { body: '{' })).status).toBe(400);
});

test('estimates tokens', async () => {
  const url = await start([conversation('a', [turn(say('Hi'))])]);
  const body = JSON.stringify({ model: 'm', messages: [ask('x'.repeat(400))] });
  const response = await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', headers: headers, body });
  expect(await response.json()).toEqual({ input_tokens: 110 });
});

test('recorded usage takes precedence over computed usage', async () => {
  const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 9 };
  const url = await start([conversation('a', [{ answer: { content: [say('Hi')], usage } }])]);
  expect(await (await post(url, {})).json()).toMatchObject({
    usage: { ...usage, cache_creation_input_tokens: 0 },
  });
});

test('waits before it answers', async () => {
  const url = await start([conversation('a', [turn(say('Hi'))])], { latencyMs: 50 });
  await post(url, {});
  const [request] = rehearsal.requests();
  await expect.poll(() => request?.answeredAtMs).toBeTypeOf('number');
  expect((request?.answeredAtMs ?? 0) - (request?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(45);
});
