import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFettle } from '../../testing/run-fettle.ts';
import type { Diagnosis } from './diagnosis.ts';

let readiness: { status: number; body: unknown };
const server = createServer((request, response) => {
  const { status, body } = request.url === '/readyz' ? readiness : { status: 200, body: { ok: true } };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

let home: string;
let url: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(home, { recursive: true });
});

async function ask(): Promise<[number | null, Diagnosis | undefined]> {
  const settings = { FETTLE_HOME: home, FETTLE_URL: url, FETTLE_TOKEN: 'token', FETTLE_SANDBOX: 'process' };
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], settings);
  const { findings } = JSON.parse(stdout) as { findings: Diagnosis[] };
  return [exitCode, findings.find(({ name }) => name === 'server')];
}

test('a server that is not ready is a problem, with the reason', async () => {
  readiness = { status: 503, body: { error: { code: 'unavailable', message: 'Redis does not answer' } } };
  expect(await ask()).toEqual([
    4,
    {
      ...{ name: 'server', state: 'problem', advice: expect.any(String) },
      message: `running at ${url}, but not ready: Redis does not answer`,
    },
  ]);
});

test('a server that is ready is ok, and its notes are shown', async () => {
  readiness = { status: 200, body: { database: true, redis: true, events: true, notes: [] } };
  expect(await ask()).toEqual([0, { name: 'server', state: 'ok', message: `running at ${url}` }]);
  readiness = { status: 200, body: { notes: ['Redis runs without appendonly'] } };
  expect(await ask()).toEqual([
    0,
    { name: 'server', state: 'warning', message: `running at ${url}; Redis runs without appendonly` },
  ]);
});
