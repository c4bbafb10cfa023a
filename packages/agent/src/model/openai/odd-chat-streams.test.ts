/** Streams of compatible servers, valid or not: each ends in bounded time and memory. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelAnswer } from '../model.ts';
import { failureOf, helloRequest } from '../testing/ask-model.ts';
import { createRawServer, type RawAnswer, stream, streamOneLine } from '../testing/raw-wire.ts';
import { openaiModel } from './openai-model.ts';

const server = createRawServer();
afterEach(() => server.close());

const data = (body: unknown) => `data: ${JSON.stringify(body)}\n\n`;
const delta = (body: object, more: object = {}) => data({ choices: [{ index: 0, delta: body, ...more }] });
const callPiece = (index: unknown, more: object) => delta({ tool_calls: [{ index, ...more }] });
const end = (finish_reason = 'stop') => delta({}, { finish_reason });
const done = 'data: [DONE]\n\n';

const key = 'sk-very-secret';

async function listen(answer: RawAnswer) {
  const baseUrl = `${await server.listen(answer)}/v1/`;
  return openaiModel({ model: 'm', apiKey: key, baseUrl, maxOutputTokens: 10, maxRetries: 0, idleMs: 500 });
}

async function ask(answer: (response: ServerResponse) => void, signal = AbortSignal.timeout(30_000)) {
  const model = await listen(answer);
  return model.answer(helloRequest, { signal, async onRetry() {} }).catch((error: unknown) => {
    const { reason, message } = failureOf(error);
    return `${reason}: ${message}`;
  });
}

const said = (body: string) => ask((response) => stream(response, body));

describe('variants of compatible servers', () => {
  test.each([
    ['nothing after the end', delta({ content: 'hi' }) + end()],
    [
      'CRLF line ends and comments',
      `: wait\r\n\r\n${delta({ content: 'hi' })}${end()}`.replaceAll('\n\n', '\r\n\r\n'),
    ],
    [
      'no space after the colon and no final line end',
      `data:${JSON.stringify({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] })}\n\ndata:[DONE]`,
    ],
    [
      'nulls',
      delta({ role: 'assistant', content: null, refusal: null, tool_calls: null }) +
        delta({ content: 'hi' }) +
        end() +
        done,
    ],
    [
      'another choice',
      data({ choices: [{ index: 1, delta: { content: 'no' } }] }) + delta({ content: 'hi' }) + end() + done,
    ],
  ])('%s', async (_name, body) => {
    expect(await said(body)).toMatchObject({ stopReason: 'end', blocks: [{ kind: 'text', text: 'hi' }] });
  });

  test('calls without an index or an id', async () => {
    const piece = (more: object) => delta({ tool_calls: [more] });
    const body =
      piece({ id: 'a', function: { name: 'read', arguments: '{"x"' } }) +
      piece({ function: { arguments: ':1}' } }) +
      callPiece(1, { function: { name: 'list' } });
    expect(await said(body + end('tool_calls') + done)).toMatchObject({
      stopReason: 'tool',
      blocks: [
        { callId: 'a', tool: 'read', input: { x: 1 } },
        { callId: expect.stringMatching(/^call_/), tool: 'list', input: {} },
      ],
    });
  });

  test('calls that share an index are distinguished by their ids', async () => {
    const call = (id: string) =>
      callPiece(0, { id, function: { name: 'read', arguments: '{"x"' } }) +
      callPiece(0, { function: { arguments: `:"${id}"}` } });
    expect(await said(call('a') + call('b') + call('c') + end('tool_calls') + done)).toMatchObject({
      blocks: ['a', 'b', 'c'].map((id) => ({ callId: id, tool: 'read', input: { x: id } })),
    });
  });

  test('calls that share an id get new ones', async () => {
    const calls = [0, 1].map((index) => callPiece(index, { id: 'a', function: { name: 'list' } })).join('');
    expect(await said(calls + end('tool_calls') + done)).toMatchObject({
      blocks: [{ callId: 'a' }, { callId: expect.stringMatching(/^call_/) }],
    });
  });

  test('a content filter is a refusal', async () => {
    expect(await said(end('content_filter') + done)).toMatchObject({ stopReason: 'refusal', blocks: [] });
  });

  test('usage that is not reported is estimated', async () => {
    const answer = (await said(delta({ content: 'x'.repeat(400) }) + end() + done)) as ModelAnswer;
    expect(answer.usage.outputTokens).toBe(100);
    expect(answer.usage.inputTokens).toBeGreaterThan(10);
  });

  test('a stream that stays open after [DONE] is abandoned', async () => {
    const answer = await ask((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta({ content: 'hi' }) + end() + done);
    });
    expect(answer).toMatchObject({ stopReason: 'end' });
  });

  test('the connection is reused for the next request', async () => {
    const sockets = new Set<Socket>();
    const model = await listen((response, { socket }) => {
      sockets.add(socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta({ content: 'hi' }) + end() + done);
      setTimeout(() => response.end(), 20);
    });
    for (let turns = 0; turns < 3; turns++) {
      await model.answer(helloRequest, { signal: AbortSignal.timeout(10_000), async onRetry() {} });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(sockets.size).toBe(1);
  });
});

test.each([
  [
    { prompt_tokens: 1.5, completion_tokens: -7 },
    { inputTokens: 2, outputTokens: 1 },
  ],
  [
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 1e300 } },
    { inputTokens: 0, cacheReadTokens: 10 },
  ],
  [
    { prompt_tokens: 10, prompt_tokens_details: 'many' },
    { inputTokens: 10, cacheReadTokens: 0 },
  ],
])('usage %o becomes a valid number of tokens', async (usage, expected) => {
  const answer = await said(delta({ content: 'hi' }) + end() + data({ choices: [], usage }) + done);
  expect(answer).toMatchObject({ usage: expected });
});

test.each([300_000_000, -1, 1, 0.5])('a call with index %s is rejected', async (index) => {
  const body = callPiece(index, { id: 'a', function: { name: 'x' } }) + end() + done;
  expect(await said(body)).toMatch(/^model_unreachable: .*out of order/);
});

test.each<[string, string, RegExp]>([
  ['invalid JSON', 'data: {"choices":\n\n', /JSON/],
  ['a name that is not a string', callPiece(0, { function: { name: {} } }), /expected string/],
  ['content that is not a string', delta({ content: 7 }), /expected string/],
  ['nothing', '', /ended in the middle/],
  ['an answer without a finish reason', delta({ content: 'hi' }) + done, /ended in the middle/],
  ['an HTML page', '<html>Welcome</html>', /ended in the middle/],
  [
    'an error',
    delta({ content: 'hi' }) + data({ error: { message: 'out of order today', code: 502 } }),
    /502: out of/,
  ],
])('%s is transient', async (_name, body, message) => {
  const answer = await said(body);
  expect(answer).toMatch(/^model_unreachable: /);
  expect(answer).toMatch(message);
});

test('an overflow that is reported in the stream is recognised', async () => {
  const error = { message: 'too many tokens', code: 'context_length_exceeded' };
  expect(await said(data({ error }))).toBe('context_overflow: 400: too many tokens');
});

test.each([
  [
    400,
    '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}',
    /^context_overflow: 400: This/,
  ],
  [400, '{"error":{"message":"bad tool"}}', /^model_rejected: 400: bad tool$/],
  [429, '{"error":{"message":"no money","code":"insufficient_quota"}}', /^model_rejected: 429: no money$/],
  [429, '{"error":{"message":"too fast","code":"rate_limit_exceeded"}}', /^model_unreachable: 429: too/],
  [404, 'no such page', /^model_rejected: 404: no such page$/],
  [307, '', /^model_rejected: 307: no reason given$/],
  [
    403,
    `{"error":{"message":"${key} may not"}}`,
    /^model_rejected: 403: \[the key\] may not \(check OPENAI_API_KEY\)$/,
  ],
  [403, `${'x'.repeat(445)}${key}`, /^model_rejected: 403: x{445}\[the {2}\(check/],
  [503, 'x'.repeat(1_000_000), /^model_unreachable: 503: x{450}$/],
  [205, '', /^model_unreachable: the response has no body$/],
  [600, 'x', /^model_unreachable: the service answered with status 600$/],
  [999, '', /^model_unreachable: the service answered with status 999$/],
])('status %d', async (status, body, expected) => {
  const answer = await ask((response) => {
    response.writeHead(status, { location: 'http://127.0.0.1:1/' });
    response.end(body);
  });
  expect(answer).toMatch(expected);
});

test('too many calls end the answer', async () => {
  const calls = Array.from({ length: 2_000 }, (_, index) => callPiece(index, { id: `c${index}` })).join('');
  expect(await said(calls + end() + done)).toMatch(/call 1000 is out of order/);
});

test('a huge input makes its call faulty', async () => {
  const piece = callPiece(0, { function: { arguments: 'x'.repeat(100_000) } });
  const body = callPiece(0, { id: 'a', function: { name: 'write' } }) + piece.repeat(60);
  expect(await said(body + end('tool_calls') + done)).toMatchObject({
    stopReason: 'cut',
    blocks: [{ tool: 'write', input: {}, fault: expect.stringContaining('over the limit') }],
  });
});

test('an error body that stalls is abandoned', async () => {
  const answer = await ask((response) => {
    response.writeHead(500);
    response.write('{"error":');
  });
  expect(answer).toMatch(/silent for 0\.5 s/);
});

test('an endless line is cut off', async () => {
  const answer = await ask(streamOneLine);
  expect(answer).toMatch(/more than 32000000 bytes|silent/);
});

test('a slow endless stream ends when the caller aborts', async () => {
  let timer: NodeJS.Timeout | undefined;
  const answer = ask((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    timer = setInterval(() => response.write(delta({ content: '.' })), 50);
  }, AbortSignal.timeout(1_000));
  await expect(answer).rejects.toThrow(/timeout/i);
  clearInterval(timer);
});
