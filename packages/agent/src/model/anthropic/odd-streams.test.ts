/** Invalid streams: each ends in bounded time and memory, and the usage stays a valid number. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { failureOf, helloRequest } from '../testing/ask-model.ts';
import { createRawServer, stream, streamOneLine } from '../testing/raw-wire.ts';
import { anthropicModel } from './anthropic-model.ts';
import { toAnthropic } from './to-anthropic.ts';

const server = createRawServer();
afterEach(() => server.close());

const event = (type: string, body: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
const start = (usage: object) =>
  event('message_start', {
    message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
  });
const text = (index: unknown, words = 'hi') =>
  event('content_block_start', { index, content_block: { type: 'text', text: '' } }) +
  event('content_block_delta', { index, delta: { type: 'text_delta', text: words } });
const end = (usage: object = { output_tokens: 5 }) =>
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }) + event('message_stop', {});

async function ask(answer: (response: ServerResponse) => void, signal = AbortSignal.timeout(30_000)) {
  const baseUrl = await server.listen(answer);
  const options = { model: 'm', apiKey: 'k', baseUrl, maxOutputTokens: 10, maxRetries: 0, idleMs: 500 };
  return anthropicModel(options)
    .answer(helloRequest, { signal, async onRetry() {} })
    .catch((error: unknown) => failureOf(error).message);
}

test.each([
  [
    { input_tokens: 1.5, output_tokens: -7 },
    { inputTokens: 2, outputTokens: 5 },
  ],
  [
    { input_tokens: 1e300, cache_read_input_tokens: 'many' },
    { inputTokens: 1_000_000_000, cacheReadTokens: 0 },
  ],
])('usage %o becomes a valid number of tokens', async (usage, expected) => {
  const answer = await ask((response) => stream(response, start(usage) + text(0) + end()));
  expect(answer).toMatchObject({ blocks: [{ kind: 'text', text: 'hi' }], usage: expected });
});

test('usage that is not reported is estimated', async () => {
  const answer = await ask((response) => stream(response, start({}) + text(0, 'x'.repeat(400)) + end({})));
  if (typeof answer === 'string') throw new Error(answer);
  expect(answer.usage.outputTokens).toBeGreaterThanOrEqual(100);
  expect(answer.usage.inputTokens).toBeGreaterThan(10);
});

test('usage may be reported at the end', async () => {
  const usage = { input_tokens: 5_000, output_tokens: 7, cache_read_input_tokens: 300 };
  const answer = await ask((response) => stream(response, start({ input_tokens: 0 }) + text(0) + end(usage)));
  expect(answer).toMatchObject({
    usage: { inputTokens: 5_000, outputTokens: 7, cacheReadTokens: 300, cacheWriteTokens: 0 },
  });
});

test('a stream that ends without a stop reason is not a complete answer', async () => {
  const half = start({}) + text(0) + event('message_delta', { delta: { stop_reason: null }, usage: {} });
  expect(await ask((response) => stream(response, half))).toMatch(/ended in the middle/);
  expect(await ask((response) => stream(response, half + event('message_stop', {})))).toMatchObject({
    stopReason: 'end',
  });
});

test.each([300_000_000, -1, 'x', 1])('a block with index %s is rejected', async (index) => {
  expect(await ask((response) => stream(response, start({}) + text(index) + end()))).toMatch(/out of order/);
});

test('a stream without its last events is not a complete answer', async () => {
  expect(await ask((response) => stream(response, start({}) + text(0)))).toMatch(
    /in the middle of an answer/,
  );
});

test('a tool call whose name is not a string is rejected', async () => {
  const block = event('content_block_start', {
    index: 0,
    content_block: { type: 'tool_use', id: 7, name: {} },
  });
  expect(await ask((response) => stream(response, start({}) + block + end()))).toMatch(/expected string/);
});

test('calls with missing or duplicate ids or invalid names can be sent back', async () => {
  const call = (index: number, id: string | undefined, name: string) =>
    event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } });
  const calls =
    call(0, 'a', 'read file/x') + call(1, 'a', '') + call(2, undefined, 'list') + call(3, '', 'x');
  const answer = await ask((response) => stream(response, start({}) + calls + end()));
  if (typeof answer === 'string') throw new Error(answer);
  const messages = [{ role: 'assistant' as const, turn: 1, blocks: answer.blocks }];
  const [sent] = toAnthropic({ system: 's', tools: [], messages }).messages;
  const used = sent?.content as { id: string; name: string }[];
  expect(used.map(({ name }) => name)).toEqual(['read_file_x', 'unnamed', 'list', 'x']);
  expect(used[0]?.id).toBe('a');
  expect(new Set(used.map(({ id }) => id)).size).toBe(4);
  for (const { id } of used) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
});

test('an input may come in one piece', async () => {
  const content_block = { type: 'tool_use', id: 'a', name: 'list_directory', input: { path: 'src' } };
  const block = event('content_block_start', { index: 0, content_block });
  expect(await ask((response) => stream(response, start({}) + block + end()))).toMatchObject({
    blocks: [{ callId: 'a', input: { path: 'src' } }],
  });
});

test('text in the start of a block counts towards the limit', async () => {
  const block = (index: number) =>
    event('content_block_start', { index, content_block: { type: 'text', text: 'x'.repeat(100_000) } });
  const blocks = Array.from({ length: 100 }, (_, index) => block(index)).join('');
  expect(await ask((response) => stream(response, start({}) + blocks + end()))).toMatchObject({
    stopReason: 'cut',
  });
});

test('reasoning is sent back unchanged, but not if it was cut before its signature', async () => {
  const redacted = '{"data":"abc==","type":"redacted_thinking","x":null}';
  const body =
    start({}) +
    `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":${redacted}}\n\n` +
    event('content_block_start', {
      index: 1,
      content_block: { type: 'thinking', thinking: '', signature: 'whole' },
    }) +
    event('content_block_start', { index: 2, content_block: { type: 'thinking', thinking: '' } }) +
    event('content_block_delta', { index: 2, delta: { type: 'thinking_delta', thinking: 'half' } }) +
    end();
  const answer = await ask((response) => stream(response, body));
  if (typeof answer === 'string') throw new Error(answer);
  expect(answer.blocks).toEqual([
    { kind: 'reasoning', text: '', block: expect.anything() },
    { kind: 'reasoning', text: '', block: { type: 'thinking', thinking: '', signature: 'whole' } },
    { kind: 'reasoning', text: 'half', block: null },
  ]);
  const messages = [{ role: 'assistant' as const, turn: 1, blocks: answer.blocks }];
  expect(JSON.stringify(toAnthropic({ system: 's', tools: [], messages }).messages)).toBe(
    `[{"role":"assistant","content":[${redacted},{"type":"thinking","thinking":"","signature":"whole"}]}]`,
  );
  const cut = [{ role: 'assistant' as const, turn: 1, blocks: answer.blocks.slice(2) }];
  expect(toAnthropic({ system: 's', tools: [], messages: cut }).messages).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: '(empty answer)' }] },
  ]);
});

test.each([101, 205, 600, 999])('status %d is transient', async (status) => {
  const said = await ask((response) => {
    response.writeHead(status);
    response.end();
  });
  expect(said).toMatch(/no body|answered with status|socket hang up/);
});

test('an error body that stalls is abandoned', async () => {
  const said = await ask((response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.write('{"type":');
  });
  expect(said).toMatch(/silent for 0\.5 s/);
});

test('an endless line is cut off', async () => {
  const said = await ask(streamOneLine);
  expect(said).toMatch(/more than 32000000 bytes|silent|terminated/);
});

test('a slow endless stream ends when the caller aborts', async () => {
  let timer: NodeJS.Timeout | undefined;
  const answer = ask((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start({}) + text(0));
    timer = setInterval(
      () =>
        response.write(event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: '.' } })),
      50,
    );
  }, AbortSignal.timeout(1_000));
  await expect(answer).rejects.toThrow(/timeout/i);
  clearInterval(timer);
});
