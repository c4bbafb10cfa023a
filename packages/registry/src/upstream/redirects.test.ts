/** Where a registry may redirect to, and which hosts get the token. */
import { expect, test } from 'vitest';
import { open, startHost, tarball } from '../testing/open-test-registry.ts';

test('follows a redirect to an allowed host, without the token', async () => {
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
  ['a host with credentials', (elsewhere: string) => elsewhere.replace('//', '//a:b@')],
  ['a file', () => 'file:///etc/passwd'],
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

test('gives up an endless redirect', async () => {
  const { server, get } = await open();
  server.behave((request, response) => {
    response.writeHead(302, { location: request.url }).end();
    return true;
  });
  expect(await get(tarball)).toMatchObject({
    status: 502,
    reason: expect.stringMatching(/redirects more than 3 times/),
  });
});
