import { expect, test } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { runFettle } from '../testing/run-fettle.ts';

test('an unknown operation ends the command at once', async () => {
  const error = { code: 'not_found', message: 'there is no operation', advice: 'Check the id.' };
  const FETTLE_URL = await openServer(({ url }, response) => {
    if (url === '/healthz') response.end('{}');
    else response.writeHead(404).end(JSON.stringify({ error }));
  });
  const startedAt = performance.now();
  const settings = { FETTLE_URL, FETTLE_TOKEN: 'token' };
  const { exitCode, stderr } = await runFettle(['logs', 'op_01kxv3c9m2t8w4r6yq'], settings);
  expect([exitCode, stderr]).toEqual([1, 'fettle: there is no operation\n  Check the id.\n']);
  expect(performance.now() - startedAt).toBeLessThan(4_500);
});
