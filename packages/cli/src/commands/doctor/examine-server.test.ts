import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { openServer } from '../../testing/open-server.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import type { Diagnosis } from './diagnosis.ts';

let url: string;

async function ask(status: number, readiness: unknown): Promise<[number | null, Diagnosis | undefined]> {
  url = await openServer((request, response) => {
    const [code, body] = request.url === '/readyz' ? [status, readiness] : [200, { ok: true }];
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const place = { FETTLE_HOME: openFolder(), FETTLE_URL: url };
  const settings = { ...place, FETTLE_TOKEN: 'token', FETTLE_SANDBOX: 'process' };
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], settings);
  const { findings } = JSON.parse(stdout) as { findings: Diagnosis[] };
  return [exitCode, findings.find(({ name }) => name === 'server')];
}

test('a server that is not ready is a problem, with the reason', async () => {
  const error = { code: 'unavailable', message: 'Redis does not answer' };
  expect(await ask(503, { error })).toEqual([
    4,
    {
      ...{ name: 'server', state: 'problem', advice: expect.any(String) },
      message: `running at ${url}, but not ready: Redis does not answer`,
    },
  ]);
});

test('a server that is ready is ok, and its notes are shown', async () => {
  const ready = { database: true, redis: true, events: true, notes: [] };
  expect(await ask(200, ready)).toEqual([0, { name: 'server', state: 'ok', message: `running at ${url}` }]);
  expect(await ask(200, { notes: ['Redis runs without appendonly'] })).toEqual([
    0,
    { name: 'server', state: 'warning', message: `running at ${url}; Redis runs without appendonly` },
  ]);
});
