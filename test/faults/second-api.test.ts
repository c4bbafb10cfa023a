/** One api per database: a second one waits until the first one has ended. */
import { expect, test } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { openPlatform, openPostgres, postgresBinaries } from '../support/lifetime.ts';

test.skipIf(postgresBinaries === undefined)('a second api on the same Postgres', async () => {
  const postgres = await openPostgres();
  const settings = { DATABASE_URL: await postgres.createDatabase() };
  const platform = await openPlatform({ conversations: [], settings, workers: 0 });
  const second = { FETTLE_PORT: String(await findFreePort()) };
  await expect(platform.startApi(second)).rejects.toThrow('Another Fettle api uses this database');
  // The session breaks with the server, and is made anew.
  await postgres.halt('SIGQUIT');
  await postgres.start();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const waiting = platform.startApi(second);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
  await platform.api.kill();
  expect((await waiting).ready).toMatchObject({ url: expect.stringContaining(second.FETTLE_PORT) });
});
