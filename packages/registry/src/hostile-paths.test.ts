/** Paths with which a sandbox might try to get more than packages, for every offered ecosystem. */
import { expect, test } from 'vitest';
import { findEcosystem, offeredNames } from './ecosystems/ecosystems.ts';
import { npm } from './ecosystems/npm.ts';
import { open } from './testing/open-test-registry.ts';

/** Valid paths in two parts, so that something can be inserted between and after them. */
const good: Record<string, [string, string][]> = {
  npm: [
    ['/left-pad/-/', 'left-pad-1.0.0.tgz'],
    ['/@scope/', 'right'],
  ],
  pypi: [
    ['/simple/', 'requests/'],
    ['/packages/ab/cd/', 'requests-2.32.0-py3-none-any.whl'],
  ],
  go: [
    ['/example.com/mod/@v/', 'v1.0.0.zip'],
    ['/example.com/mod/@v/', 'list'],
    ['/example.com/mod/', '@latest'],
  ],
};

const between = [
  ...['../', './', '/', '%2e%2e/', '.%2E/', '..%2f', '%2e%2e%2f', '..%5c', '..\\', '%252e%252e/'],
  ...['%252e%252e%252f', '..%c0%af', '%00', '%0d%0aX-Injected:%201', '\r\nX-Injected: 1\r\n', '\0', '?x='],
  ...['%3fx=', '#', '%23', '@elsewhere.example/', 'http://elsewhere.example/', '%', '%zz', 'ü', '\u2215'],
];
const behind = [
  ...['%00', '\0', '%0d%0a', '\r\n', '\n', '%20', ' ', '?x', '?', '#x', '%3f', '/..', '/%2e%2e', '%2f..'],
  ...[';x=y', '%'],
];

const hostile = offeredNames.flatMap((name) =>
  (good[name] ?? []).flatMap(([first, last]) => [
    ...between.map((part): [string, string] => [name, `${first}${part}${last}`]),
    ...behind.map((part): [string, string] => [name, `${first}${last}${part}`]),
    [name, `/${first}${last}`] as [string, string],
    [name, `//elsewhere.example${first}${last}`] as [string, string],
    [name, `http://elsewhere.example${first}${last}`] as [string, string],
    [name, `${first}${last}`.slice(1)] as [string, string],
  ]),
);

test.each(hostile)('%s: does not request %j', async (name, path) => {
  const { server, get } = await open({ ecosystem: findEcosystem(name) ?? npm });
  expect(await get(path)).toMatchObject({ status: 403, source: 'refused' });
  expect(server.requests()).toEqual([]);
});

test.each(Object.entries(good))('%s: requests the valid paths unchanged', async (name, paths) => {
  const { server, get } = await open({ ecosystem: findEcosystem(name) ?? npm });
  for (const [first, last] of paths) await get(`${first}${last}`);
  const asked = server.requests().map((line) => line.replace('%2f', '/'));
  expect(asked).toEqual(paths.map(([first, last]) => `GET ${first}${last}`));
});

test.each([
  ...['/-/user/org.couchdb.user:me', '/-/npm/v1/tokens', '/-/whoami', '/left-pad/-rev/1', '/../etc/passwd'],
  ...['/left-pad/-/..%2f..%2fsecret.tgz', '/left-pad?write=true', '/left-pad%0d%0aHost:%20elsewhere'],
  ...['//elsewhere.example/left-pad', '/@scope%2f..%2f..%2fright', '/http:%2f%2felsewhere.example'],
])('does not ask for %s', async (path) => {
  const { server, get } = await open();
  expect(await get(path)).toMatchObject({ status: 403, source: 'refused' });
  expect(server.requests()).toEqual([]);
});
