/** A registry whose responses never end, never arrive, or are invalid. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findEcosystem } from '../ecosystems/ecosystems.ts';
import { npm } from '../ecosystems/npm.ts';
import { open, tarball } from '../testing/open-test-registry.ts';

const faults: [string, (response: ServerResponse) => void, RegExp][] = [
  ['an endless body', pourForever, /more than \d+ bytes/],
  ['a gzip bomb', bomb, /more than \d+ bytes/],
  [
    'a body that stops',
    (response) => void response.writeHead(200).write('{"a":'),
    /closed the connection early/,
  ],
  ['a truncated body', cut, /closed the connection early/],
  ['silence', () => {}, /does not respond/],
  ['a slow body', drip, /too slow/],
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

/** Compressed in advance, because this blocks the event loop. */
const packed = gzipSync(Buffer.alloc(80_000_000));

function bomb(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1000 }).write('half');
  setTimeout(() => response.destroy(), 50);
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 50);
  response.on('close', () => clearInterval(timer));
}

async function survive(name: string, path: string, misbehave: (response: ServerResponse) => void) {
  const wholeMs = misbehave === drip ? 1_000 : 30_000;
  const { server, get, listCache } = await open({ ecosystem: findEcosystem(name) ?? npm, wholeMs });
  server.behave((_request, response) => {
    misbehave(response);
    return true;
  });
  const got = await get(path);
  expect(listCache()).toEqual([]);
  return { ...got, requests: server.requests().length };
}

test.each(faults)('survives %s, and caches nothing', async (_what, misbehave, reason) => {
  const { status, source, reason: message } = await survive('npm', '/left-pad', misbehave);
  expect({ status, source, message }).toEqual({
    status: 502,
    source: 'away',
    message: expect.stringMatching(reason),
  });
});

// An endless response is not retried.
test.each([
  ['pypi', '/simple/requests/'],
  ['go', '/example.com/mod/@v/list'],
  ['go', '/example.com/mod/@latest'],
])('%s: gives up an endless %s', async (name, path) => {
  expect(await survive(name, path, pourForever)).toMatchObject({
    status: 502,
    reason: expect.stringMatching(/more than \d+ bytes/),
    requests: 1,
  });
});

test.each([
  ['npm', tarball],
  ['pypi', '/simple/requests/'],
  ['pypi', '/packages/ab/cd/requests-2.32.0-py3-none-any.whl'],
  ['go', '/example.com/mod/@v/list'],
  ['go', '/example.com/mod/@v/v1.0.0.zip'],
])('%s: gives up a slow %s', async (name, path) => {
  expect(await survive(name, path, drip)).toMatchObject({
    status: 502,
    reason: expect.stringMatching(/too slow/),
    requests: 1,
  });
});
