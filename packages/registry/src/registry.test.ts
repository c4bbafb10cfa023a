/** Requests of a sandbox, answered from the cache or from a registry of the test. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Ecosystem } from './ecosystems/ecosystem.ts';
import { findEcosystem } from './ecosystems/ecosystems.ts';
import { npm } from './ecosystems/npm.ts';
import { open, startHost, tarball } from './testing/open-test-registry.ts';

test('sends one request with its own headers, then uses the cache', async () => {
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
    'accept-encoding': 'gzip, br',
    'user-agent': 'fettle',
  });
});

test('the abbreviated index is cached separately from the full one', async () => {
  const { server, get } = await open();
  await get('/left-pad', { accept: 'application/vnd.npm.install-v1+json; q=1.0, */*' });
  await get('/left-pad');
  await get('/@scope%2fright');
  await get('/@scope/right');
  expect(server.requests()).toEqual(['GET /left-pad', 'GET /left-pad', 'GET /@scope%2fright']);
});

test('an old index is revalidated with its etag', async () => {
  const { server, get } = await open({ freshMs: 0 });
  await get('/left-pad');
  expect(await get('/left-pad')).toMatchObject({ source: 'cache' });
  server.publish({ name: 'left-pad', version: '2.0.0' });
  const renewed = await get('/left-pad');
  expect(renewed.source).toBe('registry');
  expect(Object.keys(JSON.parse(renewed.text).versions)).toEqual(['1.0.0', '2.0.0']);
});

test('concurrent requests for the same file cause one download', async () => {
  const { server, get, newWindow } = await open();
  const all = await Promise.all(Array.from({ length: 20 }, () => get(tarball, { window: newWindow() })));
  expect(all.every(({ status }) => status === 200)).toBe(true);
  expect(server.requests()).toEqual([`GET ${tarball}`]);
});

test('an abort ends the wait for another download, which continues', async () => {
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

test('while the registry is unavailable, the cache answers', async () => {
  const { server, get, newWindow } = await open({ freshMs: 0 });
  const index = await get('/left-pad');
  await get(tarball);
  await server.close();
  expect(await get('/left-pad')).toMatchObject({ status: 200, source: 'stale', text: index.text });
  expect(await get(tarball, { window: newWindow() })).toMatchObject({ status: 200, source: 'cache' });
  expect(await get('/right')).toMatchObject({
    status: 502,
    source: 'away',
    reason: expect.stringMatching(/does not respond/),
  });
});

test('a missing package is not cached', async () => {
  const { get, server } = await open();
  expect(await get('/missing')).toMatchObject({ status: 404, source: 'refused' });
  server.publish({ name: 'missing', version: '1.0.0' });
  expect(await get('/missing')).toMatchObject({ status: 200 });
});

test('retries after a failure of the registry', async () => {
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

test('only packages of a distrusted window are downloaded again', async () => {
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

test('a registry below a path works with both forms of lockfile addresses', async () => {
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

test('a window has a download limit', async () => {
  const { get } = await open({ bytes: 10 });
  expect(await get('/left-pad')).toMatchObject({ status: 200 });
  expect(await get('/left-pad')).toMatchObject({ status: 429 });
});

test('a registry that is not allowed gets no request', async () => {
  const { get, server } = await open({ ecosystem: { ...npm, name: 'other', routes: [] } });
  expect(await get('/left-pad')).toMatchObject({ status: 403 });
  expect(server.requests()).toEqual([]);
});

test('PyPI: the files in the JSON index point to the sandbox', async () => {
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

test('Go: modules with the GOPROXY protocol', async () => {
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

test('crates: the download address in the index points to the sandbox', async () => {
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
