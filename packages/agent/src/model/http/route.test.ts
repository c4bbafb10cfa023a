/** Requests to the model's service through a real proxy on loopback. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createModel } from '../create-model.ts';
import { failureOf, helloRequest } from '../testing/ask-model.ts';
import { createRawServer, stream } from '../testing/raw-wire.ts';
import { createRoute, type ProxySettings } from './route.ts';
import { type ProxyOptions, type ProxyServer, startProxy } from './testing/proxy-server.ts';

const server = createRawServer();
let proxy: ProxyServer | undefined;
let tlsServer: Server | undefined;
afterEach(() => {
  server.close();
  proxy?.close();
  tlsServer?.close();
});

const answer = `data: ${JSON.stringify({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] })}\n\n`;
const credentials = 'fettle:top%40secret';

async function start(options: ProxyOptions = {}) {
  proxy = await startProxy(options);
  return { proxy, serviceUrl: await server.listen((response) => stream(response, answer)) };
}

function ask(baseUrl: string, settings: ProxySettings, signal = AbortSignal.timeout(20_000)) {
  const model = createModel({
    ...{ service: 'openai', model: 'm', apiKey: 'key', baseUrl, proxy: settings },
    ...{ maxOutputTokens: 10, maxRetries: 0, idleMs: 10_000 },
  });
  return model.answer(helloRequest, { signal, async onRetry() {} }).then(
    ({ blocks }) => blocks,
    (error: unknown) => {
      const { reason, message } = failureOf(error);
      return `${reason}: ${message}`;
    },
  );
}

const hi = [{ kind: 'text', text: 'hi' }];

test.each(['HTTP_PROXY', 'http_proxy'])('%s: an http request goes through the proxy', async (name) => {
  const { proxy, serviceUrl } = await start();
  expect(await ask(serviceUrl, { [name]: proxy.url })).toEqual(hi);
  expect(proxy.requests).toEqual([`POST ${serviceUrl}/chat/completions`]);
});

test.each(['HTTPS_PROXY', 'https_proxy'])('%s: an https request goes through a tunnel', async (name) => {
  const { proxy } = await start();
  const firstBytes: Buffer[] = [];
  tlsServer = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      firstBytes.push(bytes.subarray(0, 2));
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(tlsServer, 'listening');
  const { port } = tlsServer.address() as { port: number };
  expect(await ask(`https://127.0.0.1:${port}`, { [name]: proxy.url })).toMatch(/^model_unreachable: /);
  expect(proxy.requests).toEqual([`CONNECT 127.0.0.1:${port}`]);
  // The start of a TLS handshake.
  expect(firstBytes).toEqual([Buffer.from([0x16, 0x03])]);
});

test.each(['NO_PROXY', 'no_proxy'])('%s bypasses the proxy', async (name) => {
  const { proxy, serviceUrl } = await start();
  expect(await ask(serviceUrl, { HTTP_PROXY: proxy.url, [name]: 'example.com,127.0.0.1' })).toEqual(hi);
  expect(proxy.requests).toEqual([]);
});

test('a proxy for https is not used for http, and an empty setting means no proxy', async () => {
  const { proxy, serviceUrl } = await start();
  expect(await ask(serviceUrl, { HTTPS_PROXY: proxy.url, HTTP_PROXY: '' })).toEqual(hi);
  expect(proxy.requests).toEqual([]);
});

test('the proxy gets the credentials of its URL, and the service does not', async () => {
  proxy = await startProxy({ credentials });
  const headers: unknown[] = [];
  const serviceUrl = await server.listen((response, request) => {
    headers.push(request.headers.authorization);
    stream(response, answer);
  });
  expect(await ask(serviceUrl, { HTTP_PROXY: proxy.url })).toEqual(hi);
  expect(headers).toEqual(['Bearer key']);
});

test.each([
  ['http', 403, /^model_rejected: 403: refused by the proxy/],
  ['http', 407, /^model_rejected: the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTP_PROXY\) failed: 407 refused/],
  ['https', 403, /^model_rejected: the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) failed: .*403/],
  ['https', 407, /^model_rejected: the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) failed: .*407/],
  ['https', 502, /^model_unreachable: the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) failed: .*502/],
])('%s: a proxy that answers %d is named, without its credentials', async (scheme, status, message) => {
  const { proxy, serviceUrl } = await start({ credentials, refuseWith: status });
  const settings = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const failure = await ask(serviceUrl.replace('http', scheme), settings);
  expect(failure).toMatch(message);
  expect(failure).not.toMatch(/fettle:|top|secret/);
});

test.each(['http', 'https'])('%s: a proxy that is not reachable is named', async (scheme) => {
  const { proxy, serviceUrl } = await start();
  proxy.close();
  const { port } = proxy;
  const url = `http://${credentials}@127.0.0.1:${port}`;
  const failure = await ask(serviceUrl.replace('http', scheme), { HTTP_PROXY: url, HTTPS_PROXY: url });
  const variable = `${scheme.toUpperCase()}_PROXY`;
  expect(failure).toBe(
    `model_unreachable: the proxy http://127.0.0.1:${port} (${variable}) failed: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});

test('a cancellation does not wait for a proxy that never answers', async () => {
  const { proxy } = await start({ hangs: true });
  const startedAt = performance.now();
  const asked = ask('https://127.0.0.1:1', { HTTPS_PROXY: proxy.url }, AbortSignal.timeout(200));
  await expect(asked).rejects.toThrow(/timeout/i);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test.each(['socks5://127.0.0.1:1080', 'proxy.example:8080', 'fettle:secret@nowhere'])(
  'the setting %s is rejected',
  (value) => {
    expect(() => createRoute('https://x.example', { HTTPS_PROXY: value })).toThrow(
      /^HTTPS_PROXY must be a URL that starts with http:\/\/ or https:\/\/$/,
    );
  },
);
