/** What the host does with a request that a sandbox brings, against a registry of the test's own. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskCache } from './cache/disk-cache.ts';
import type { Ecosystem } from './ecosystems/ecosystem.ts';
import { findEcosystem } from './ecosystems/ecosystems.ts';
import { npm } from './ecosystems/npm.ts';
import { quickLimits } from './fixtures/install-stage.ts';
import { startTestRegistry } from './fixtures/test-registry.ts';
import { createFetchPlace, createRegistry } from './registry.ts';
import { createUpstream } from './upstream/upstream.ts';

const origins = { npm: 'http://127.0.0.1:1', pypi: 'http://127.0.0.1:2', go: 'http://127.0.0.1:3' };
const tarball = '/left-pad/-/left-pad-1.0.0.tgz';

async function open(
  options: {
    ecosystem?: Ecosystem;
    addresses?: string[];
    token?: string;
    freshMs?: number;
    bytes?: number;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const server = await startTestRegistry();
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  server.publish({ name: 'left-pad', version: '1.0.0' }, { name: '@scope/right', version: '1.0.0' });
  const { ecosystem = npm, addresses = [server.url], token, freshMs = 60_000, bytes } = options;
  const upstreams = [createUpstream({ ecosystem, addresses, token })];
  const cache = createDiskCache({ folder, maxBytes: 1e9 });
  const registry = createRegistry({
    names: [ecosystem.name],
    upstreams: async () => upstreams,
    cache,
    limits: quickLimits,
    freshMs,
  });
  const place = createFetchPlace(origins, bytes);
  const patience = AbortSignal.timeout(30_000);
  async function get(
    path: string,
    { method = 'GET' as const, accept = '', window = place, signal = patience } = {},
  ) {
    const fetch = { fetchId: 1, registry: ecosystem.name, method, path, accept };
    const { body, status, source, reason } = await registry.answer(fetch, window, signal);
    const text = Buffer.concat(await Array.fromAsync(body ?? [])).toString('utf8');
    return { status, source, text, ...(reason !== undefined && { reason }) };
  }
  const listCache = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { server, get, listCache, newWindow: () => createFetchPlace(origins), distrust: registry.distrust };
}

/** A host that does whatever the test wants. */
async function startHost(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('asks the registry once, in its own words, and then the cache', async () => {
  const { server, get, newWindow } = await open();
  const first = await get('/left-pad', { accept: 'x-from: the sandbox' });
  expect(first).toMatchObject({ status: 200, source: 'registry' });
  expect(JSON.parse(first.text).versions['1.0.0'].dist.tarball).toBe(`http://127.0.0.1:1${tarball}`);
  expect(await get('/left-pad')).toMatchObject({ source: 'cache', text: first.text });
  expect(await get(tarball)).toMatchObject({ status: 200, source: 'registry' });
  expect(await get(tarball, { window: newWindow() })).toMatchObject({ status: 200, source: 'cache' });
  expect(server.requests()).toEqual(['GET /left-pad', `GET ${tarball}`]);
  const { host, connection, ...headers } = server.headersOf('GET /left-pad') ?? {};
  expect(headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'fettle',
  });
});

test('the short form of an index is another thing than the long one', async () => {
  const { server, get } = await open();
  await get('/left-pad', { accept: 'application/vnd.npm.install-v1+json; q=1.0, */*' });
  await get('/left-pad');
  await get('/@scope%2fright');
  await get('/@scope/right');
  expect(server.requests()).toEqual(['GET /left-pad', 'GET /left-pad', 'GET /@scope%2fright']);
});

test('an index that is old is asked for again, by its tag', async () => {
  const { server, get } = await open({ freshMs: 0 });
  await get('/left-pad');
  expect(await get('/left-pad')).toMatchObject({ source: 'cache' });
  server.publish({ name: 'left-pad', version: '2.0.0' });
  const renewed = await get('/left-pad');
  expect(renewed.source).toBe('registry');
  expect(Object.keys(JSON.parse(renewed.text).versions)).toEqual(['1.0.0', '2.0.0']);
});

test('many at once are one request', async () => {
  const { server, get, newWindow } = await open();
  const all = await Promise.all(Array.from({ length: 20 }, () => get(tarball, { window: newWindow() })));
  expect(all.every(({ status }) => status === 200)).toBe(true);
  expect(server.requests()).toEqual([`GET ${tarball}`]);
});

test('who leaves does not wait for a download of somebody else, which goes on', async () => {
  const { server, get, newWindow } = await open();
  let theirs: ReturnType<typeof get> | undefined;
  const response = await new Promise<ServerResponse>((resolve) => {
    server.behave((_request, response) => {
      resolve(response);
      return true;
    });
    theirs = get(tarball, { window: newWindow() });
  });
  const leaving = new AbortController();
  const mine = get(tarball, { window: newWindow(), signal: leaving.signal });
  const stayed = get(tarball, { window: newWindow() });
  leaving.abort();
  await expect(mine).rejects.toThrow(/aborted/);
  response.end('a tarball');
  expect(await theirs).toMatchObject({ source: 'registry', text: 'a tarball' });
  expect(await stayed).toMatchObject({ source: 'cache', text: 'a tarball' });
  expect(server.requests()).toEqual([`GET ${tarball}`]);
});

test('while the registry is away, the cache answers what it has', async () => {
  const { server, get, newWindow } = await open({ freshMs: 0 });
  const index = await get('/left-pad');
  await get(tarball);
  await server.close();
  expect(await get('/left-pad')).toMatchObject({ status: 200, source: 'stale', text: index.text });
  expect(await get(tarball, { window: newWindow() })).toMatchObject({ status: 200, source: 'cache' });
  expect(await get('/right')).toMatchObject({
    status: 502,
    source: 'away',
    reason: expect.stringMatching(/does not answer/),
  });
});

test.each([
  '/-/user/org.couchdb.user:me',
  '/-/npm/v1/tokens',
  '/-/whoami',
  '/left-pad/-rev/1',
  '/../etc/passwd',
  '/left-pad/-/..%2f..%2fsecret.tgz',
  '/left-pad?write=true',
  '/left-pad%0d%0aHost:%20elsewhere',
  '//elsewhere.example/left-pad',
  '/@scope%2f..%2f..%2fright',
  '/http:%2f%2felsewhere.example',
])('does not ask for %s', async (path) => {
  const { server, get } = await open();
  expect(await get(path)).toMatchObject({ status: 403, source: 'refused' });
  expect(server.requests()).toEqual([]);
});

test('what the registry does not have is not there, and is not kept', async () => {
  const { get, server } = await open();
  expect(await get('/missing')).toMatchObject({ status: 404, source: 'refused' });
  server.publish({ name: 'missing', version: '1.0.0' });
  expect(await get('/missing')).toMatchObject({ status: 200 });
});

test('tries again when the registry stumbles', async () => {
  const { server, get } = await open();
  let left = 2;
  server.behave((_request, response) => {
    if (left-- <= 0) return false;
    response.writeHead(503).end('busy');
    return true;
  });
  expect(await get('/left-pad')).toMatchObject({ status: 200 });
  expect(server.requests()).toHaveLength(3);
});

const faults: [string, (response: ServerResponse) => void, RegExp][] = [
  ['an endless body', (response) => pourForever(response), /more than \d+ bytes/],
  ['a bomb', (response) => bomb(response), /more than \d+ bytes/],
  ['a body that stops', (response) => void response.writeHead(200).write('{"a":'), /broke off/],
  ['a body that is cut', (response) => cut(response), /broke off/],
  ['silence', () => {}, /does not answer/],
];

function pourForever(response: ServerResponse): void {
  const piece = Buffer.alloc(1_000_000);
  const pour = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', pour);
  response.writeHead(200);
  pour();
}

function bomb(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(80_000_000)));
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1000 }).write('half');
  setTimeout(() => response.destroy(), 50);
}

test.each(faults)('survives %s, and keeps nothing of it', async (_what, misbehave, reason) => {
  const { server, get, listCache } = await open();
  server.behave((_request, response) => {
    misbehave(response);
    return true;
  });
  expect(await get('/left-pad')).toEqual({
    status: 502,
    source: 'away',
    text: expect.any(String),
    reason: expect.stringMatching(reason),
  });
  expect(listCache()).toEqual([]);
});

test('what a window does not trust is fetched anew, and nothing else', async () => {
  const { server, get, newWindow, distrust } = await open();
  const window = newWindow();
  await get(tarball, { window });
  await get('/@scope/right/-/right-1.0.0.tgz', { window: newWindow() });
  await distrust(window);
  server.forget();
  expect(await get(tarball, { window: newWindow() })).toMatchObject({ source: 'registry' });
  expect(await get('/@scope/right/-/right-1.0.0.tgz')).toMatchObject({ source: 'cache' });
  expect(server.requests()).toEqual([`GET ${tarball}`]);
});

test('follows a redirect to a host that is allowed, without the token', async () => {
  const seen: (string | undefined)[] = [];
  const files = await startHost((request, response) => {
    seen.push(request.headers.authorization);
    response.end('from the files');
  });
  const own = await startHost((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `${files}x.tgz?signed` }).end();
  });
  const { get } = await open({ addresses: [own, files], token: 'the-token' });
  expect(await get(tarball)).toMatchObject({ status: 200, text: 'from the files' });
  expect(seen).toEqual(['Bearer the-token', undefined]);
});

test.each([
  ['/all/npm/files/x.tgz', 'Bearer the-token'],
  ['/all/npm/@scope%2fx?a=b', 'Bearer the-token'],
  ['/x.tgz', undefined],
  ['/all/npmx/x.tgz', undefined],
  ['/all/npm', undefined],
  ['/ALL/npm/x.tgz', undefined],
  ['../../../../../x.tgz', undefined],
  ['/all/npm/%2e%2e/x.tgz', undefined],
  ['/all/npm/..%2f..%2fx.tgz', undefined],
  ['/all/npm/%2e.%2Fx.tgz', undefined],
  ['/all/npm/a%5c..%5cx.tgz', undefined],
  ['/all/npm/..;/x.tgz', undefined],
])('sends the token to no place outside of the registry’s path: %s', async (location, token) => {
  const seen: (string | undefined)[] = [];
  const own = await startHost((request, response) => {
    seen.push(request.headers.authorization);
    if (seen.length === 1) response.writeHead(302, { location }).end();
    else response.end('a tarball');
  });
  const { get } = await open({ addresses: [`${own}all/npm`], token: 'the-token' });
  expect(await get(tarball)).toMatchObject({ status: 200, text: 'a tarball' });
  expect(seen).toEqual(['Bearer the-token', token]);
});

test.each([
  ['another host', (elsewhere: string) => `${elsewhere}x.tgz`],
  ['a host by another name', (elsewhere: string) => elsewhere.replace('127.0.0.1', 'localhost')],
  ['a host with a name and a password', (elsewhere: string) => elsewhere.replace('//', '//a:b@')],
  ['no address', () => 'file:///etc/passwd'],
])('follows no redirect to %s', async (_what, location) => {
  let asked = 0;
  const elsewhere = await startHost((_request, response) => {
    asked += 1;
    response.end('secret');
  });
  const { server, get } = await open();
  server.behave((_request, response) => {
    response.writeHead(302, { location: location(elsewhere) }).end();
    return true;
  });
  expect(await get(tarball)).toMatchObject({ status: 502, reason: expect.stringMatching(/not allowed/) });
  expect(asked).toBe(0);
});

test('a registry that redirects to itself without end is left', async () => {
  const { server, get } = await open();
  server.behave((request, response) => {
    response.writeHead(302, { location: request.url }).end();
    return true;
  });
  expect(await get(tarball)).toMatchObject({ status: 502, reason: expect.stringMatching(/without end/) });
});

test('a registry below a path is asked there, however a lockfile spells it', async () => {
  const seen: (string | undefined)[] = [];
  const own = await startHost((request, response) => {
    seen.push(request.url);
    response.end('a tarball');
  });
  const { get, newWindow } = await open({ addresses: [`${own}artifacts/npm`] });
  expect(await get(tarball)).toMatchObject({ status: 200 });
  expect(await get(`/artifacts/npm${tarball}`, { window: newWindow() })).toMatchObject({ source: 'cache' });
  expect(seen).toEqual([`/artifacts/npm${tarball}`]);
});

test('a window has a limit in bytes', async () => {
  const { get } = await open({ bytes: 10 });
  expect(await get('/left-pad')).toMatchObject({ status: 200 });
  expect(await get('/left-pad')).toMatchObject({ status: 429 });
});

test('a registry that is not allowed is not asked', async () => {
  const { get, server } = await open({ ecosystem: { ...npm, name: 'other', routes: [] } });
  expect(await get('/left-pad')).toMatchObject({ status: 403 });
  expect(server.requests()).toEqual([]);
});

test('PyPI: an index as JSON whose files are asked of the sandbox', async () => {
  const file = 'packages/ab/cd/0123/requests-2.32.0-py3-none-any.whl';
  const seen: string[] = [];
  const files = await startHost((request, response) => {
    seen.push(`files ${request.url}`);
    response.end('a wheel');
  });
  const index = await startHost((request, response) => {
    seen.push(`index ${request.url} ${request.headers.accept}`);
    response.end(JSON.stringify({ files: [{ filename: 'requests', url: `${files}${file}` }] }));
  });
  const { get } = await open({ ecosystem: findEcosystem('pypi') as Ecosystem, addresses: [index, files] });
  const page = await get('/simple/Requests/');
  expect(JSON.parse(page.text).files[0].url).toBe(`http://127.0.0.1:2/${file}`);
  expect(await get(`/${file}`)).toMatchObject({ text: 'a wheel' });
  expect(seen).toEqual(['index /simple/requests/ application/vnd.pypi.simple.v1+json', `files /${file}`]);
});

test('Go: modules by the protocol of a proxy', async () => {
  const seen: (string | undefined)[] = [];
  const proxy = await startHost((request, response) => {
    seen.push(request.url);
    response.end('v1.0.0\n');
  });
  const { get } = await open({ ecosystem: findEcosystem('go') as Ecosystem, addresses: [proxy] });
  for (const path of ['/example.com/!mod/@v/list', '/example.com/!mod/@v/v1.0.0.zip']) {
    expect(await get(path)).toMatchObject({ status: 200, text: 'v1.0.0\n' });
  }
  expect(await get('/sumdb/sum.golang.org/supported')).toMatchObject({ status: 403 });
  expect(seen).toEqual(['/example.com/!mod/@v/list', '/example.com/!mod/@v/v1.0.0.zip']);
});

test('crates: the place of the files in the index is the sandbox', async () => {
  const index = await startHost((_request, response) => {
    response.end('{"dl":"https://static.crates.io/crates","api":"https://crates.io"}');
  });
  const files = await startHost((request, response) => void response.end(request.url));
  const ecosystem = findEcosystem('crates') as Ecosystem;
  const { get } = await open({ ecosystem, addresses: [index, files] });
  expect(JSON.parse((await get('/config.json')).text).dl).toMatch(/\/crates$/);
  expect(await get('/crates/serde/1.0.0/download')).toMatchObject({
    text: '/crates/serde/serde-1.0.0.crate',
  });
});
