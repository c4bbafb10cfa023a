import { expect, test } from 'vitest';
import { isDatabaseAway } from './is-away.ts';
import { openDatabase } from './open-database.ts';
import { findPostgres, startPostgres } from './testing/postgres-server.ts';
import { request, setScene } from './testing/scene.ts';

const binaries = findPostgres();

test.skipIf(binaries === undefined)('a server that goes is away, in the middle of the work too', async () => {
  const server = await startPostgres(binaries ?? '');
  const database = await openDatabase({ url: await server.createDatabase() });
  try {
    const { create } = await setScene(database);
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      // Some have a connection and some wait for one when it goes.
      const working = Promise.allSettled(Array.from({ length: 40 }, () => create()));
      await server.halt(signal);
      const errors = [
        ...(await working).flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
        ...(await Promise.all([create().catch(same), database.ping().catch(same)])),
      ];
      expect(errors.filter((error) => !isDatabaseAway(error))).toEqual([]);
      await server.start();
      await expect.poll(() => database.ping().then(() => true, same)).toBe(true);
    }
  } finally {
    await database.close();
    await server.stop();
  }
});

test('a wrong query is not an absence', async () => {
  const database = await openDatabase({ temporary: true });
  const { create } = await setScene(database);
  const wrong = await create({ repositoryId: 'repo_none', request }).catch(same);
  expect(wrong).toBeInstanceOf(Error);
  expect(isDatabaseAway(wrong)).toBe(false);
  await database.close();
});

const same = (error: unknown) => error;
