import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProcessToolbox } from '../src/backends/process-backend.ts';
import { openSandbox } from '../src/host/open-sandbox.ts';
import type { FetchWindowOptions } from '../src/host/sandbox.ts';
import { expectRefusal, makeTemporaryFolder, startTestSandbox } from '../src/testing/test-sandbox.ts';

async function offer() {
  const { sandbox } = await startTestSandbox();
  const { npm = '' } = await sandbox.offerRegistries({
    registries: ['npm'],
    environment: (origins) => ({ REGISTRY: origins.npm ?? '' }),
  });
  const open = (answer: FetchWindowOptions['answer'], limits = {}) =>
    sandbox.openFetchWindow({ answer, ...limits });
  return { sandbox, npm, open };
}

interface Got {
  status: number;
  text: string;
}

function ask(origin: string, path: string, { method = 'GET', headers = {} } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(origin, { path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Sends raw bytes and returns the first line of the response. */
function say(origin: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytes));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard.split('\r\n')[0] ?? ''));
  });
}

const hello: FetchWindowOptions['answer'] = async ({ path }) => ({
  status: 200,
  headers: { 'x-path': path },
  body: [Buffer.from(`you asked for ${path}`)],
});

function recordFetches() {
  const asked: unknown[] = [];
  const answer: FetchWindowOptions['answer'] = async (fetch, signal) => {
    asked.push(fetch);
    return hello(fetch, signal);
  };
  return { answer, asked };
}

describe('the registry on loopback', () => {
  it('refuses all requests with advice while no window is open', async () => {
    const { sandbox, npm, open } = await offer();
    const closed = { status: 403, text: expect.stringContaining('install_dependencies') };
    expect(await ask(npm, '/left-pad')).toEqual(closed);
    const window = await open(hello);
    expect(await ask(npm, '/left-pad')).toEqual({ status: 200, text: 'you asked for /left-pad' });
    await window.close();
    await window.close();
    expect(await ask(npm, '/left-pad')).toEqual(closed);
    const { output } = await sandbox.run({ command: 'echo $REGISTRY' });
    expect(output).toBe(`${npm}\n`);
  });

  it('relays a large body with back-pressure, and HEAD without a body', async () => {
    const { npm, open } = await offer();
    const piece = Buffer.alloc(400_000, 'x');
    const window = await open(async () => ({ status: 200, headers: {}, body: Array(10).fill(piece) }));
    const all = await Promise.all([1, 2, 3, 4].map(() => ask(npm, '/large')));
    expect(all.map(({ text }) => text.length)).toEqual([4e6, 4e6, 4e6, 4e6]);
    expect(await ask(npm, '/large', { method: 'HEAD' })).toEqual({ status: 200, text: '' });
    await window.close();
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not relay %s', async (method) => {
    const { npm, open } = await offer();
    const { answer, asked } = recordFetches();
    const window = await open(answer);
    expect(await ask(npm, '/left-pad', { method })).toMatchObject({ status: 405 });
    await window.close();
    expect(asked).toEqual([]);
  });

  it.each([
    ['a URL of another host', 'GET http://elsewhere.example/ HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1.1 400/],
    ['a tunnel', 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
    ['a long path', `GET /${'x'.repeat(3000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1.1 414/],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(30_000)}\r\n\r\n`, /^HTTP\/1.1 431/],
    ['a broken line', 'GET /a\rb HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1.1 400/],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', /^HTTP\/1.1 400/],
  ])('does not pass on %s', async (_what, bytes, answer) => {
    const { npm, open } = await offer();
    const window = await open(async () => {
      throw new Error('the host was asked');
    });
    expect(await say(npm, bytes)).toMatch(answer);
    await window.close();
  });

  it('headers are text, and the host sees only the agreed ones', async () => {
    const { npm, open } = await offer();
    const { answer, asked } = recordFetches();
    const window = await open(answer);
    await ask(npm, '/a%0d%0aX:1', { headers: { accept: 'text/x', authorization: 'secret', cookie: 'c' } });
    await window.close();
    expect(asked).toEqual([
      { fetchId: 1, registry: 'npm', method: 'GET', path: '/a%0d%0aX:1', accept: 'text/x' },
    ]);
  });

  it('a truncated body does not look complete', async () => {
    const { npm, open } = await offer();
    async function* body() {
      yield Buffer.alloc(300_000);
      throw new Error('the registry went away');
    }
    const window = await open(async () => ({ status: 200, headers: {}, body: body() }));
    await expect(ask(npm, '/left-pad')).rejects.toThrow();
    await window.close();
  });

  it('a disconnected client does not block others', async () => {
    const { npm, open } = await offer();
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.alloc(100_000);
      }
    }
    const window = await open(
      async (fetch, signal) =>
        fetch.path === '/endless' ? { status: 200, headers: {}, body: endless() } : hello(fetch, signal),
      { atOnce: 1 },
    );
    expect(await say(npm, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/200/);
    expect(await ask(npm, '/next')).toMatchObject({ status: 200 });
    await window.close();
    const before = given;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(given).toBe(before);
  });

  it('closing the window refuses waiting requests and aborts running ones', async () => {
    const { npm, open } = await offer();
    const window = await open(
      (_fetch, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { atOnce: 1 },
    );
    const asked = [ask(npm, '/a'), ask(npm, '/b')].map((asking) =>
      asking.then(
        ({ status }) => status,
        () => 'cut off',
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    await window.close();
    expect((await Promise.all(asked)).every((end) => end === 403 || end === 'cut off')).toBe(true);
  });

  it('a window has a limit, and reports errors of the handler', async () => {
    const { npm, open } = await offer();
    const window = await open(hello, { maxFetches: 2 });
    const statuses = [];
    for (const path of ['/a', '/b', '/c']) statuses.push((await ask(npm, path)).status);
    expect(statuses).toEqual([200, 200, 429]);
    await expectRefusal(open(hello), 'bad_request', /already open/);
    await window.close();
    const broken = await open(async () => {
      throw new Error('a bug');
    });
    expect(await ask(npm, '/a')).toMatchObject({ status: 500 });
    await expect(broken.close()).rejects.toThrow('a bug');
  });
});

describe('a toolbox that lies about fetches', () => {
  const main = fileURLToPath(new URL('../src/testing/lying-toolbox.ts', import.meta.url));

  async function start(behaviour: string) {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'behaviour'), behaviour);
    const toolbox = startProcessToolbox({ folder, searchPath: '/usr/bin:/bin', main });
    const sandbox = await openSandbox(toolbox, { backend: 'process', warning: undefined });
    await sandbox.offerRegistries({ registries: ['npm'], environment: () => ({}) });
    return sandbox;
  }

  it.each([
    ...['a POST', 'a PUT', 'a path without a slash', 'a huge path', 'a strange registry'],
    ...['a header of its own', 'no number', 'nothing, at once'],
  ])('ends the sandbox: %s', async (behaviour) => {
    const sandbox = await start(behaviour);
    const { answer, asked } = recordFetches();
    const window = await sandbox.openFetchWindow({ answer });
    await expectRefusal(sandbox.readFile('a'), 'malformed');
    await expectRefusal(window.close(), 'malformed');
    expect(asked).toEqual([]);
    await sandbox.close();
  });

  it('cannot exceed the limit of a window', async () => {
    const sandbox = await start('fetches without end');
    const { answer, asked } = recordFetches();
    const window = await sandbox.openFetchWindow({ answer, maxFetches: 100 });
    await expectRefusal(sandbox.readFile('a'), 'ended', /requested packages 201 times/);
    await expectRefusal(window.close(), 'ended');
    expect(asked).toHaveLength(100);
    await sandbox.close();
  });
});
