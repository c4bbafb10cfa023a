/** One api per database: a second one waits for the first to end, and does not start beside it. */
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../packages/database/src/testing/postgres-server.ts';
import { findFreePort, startPlatform } from '../support/platform.ts';

const binaries = findPostgres();

test.skipIf(binaries === undefined)('a second api on the same Postgres', async () => {
  const postgres = await startPostgres(binaries as string);
  const settings = { DATABASE_URL: await postgres.createDatabase() };
  const platform = await startPlatform({ conversations: [], settings, workers: 0 });
  try {
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
  } finally {
    await platform.close();
    await postgres.stop();
  }
});
