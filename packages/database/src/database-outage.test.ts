import { expect, test } from 'vitest';
import { describeOutage, isDatabaseAway } from './database-outage.ts';
import { openDatabase } from './open-database.ts';
import { findPostgres, run, startPostgres } from './testing/postgres-server.ts';
import { request, setScene } from './testing/scene.ts';

const binaries = findPostgres();

test.skipIf(binaries === undefined)(
  'a server that stops counts as unavailable, also for running queries',
  async () => {
    const server = await startPostgres(binaries ?? '');
    const database = await openDatabase({ url: await server.createDatabase() });
    try {
      const { create } = await setScene(database);
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        // Some have a connection and some wait for one when the server stops.
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
  },
);

test.skipIf(binaries === undefined)('a server that refuses writes counts as unavailable', async () => {
  const server = await startPostgres(binaries ?? '');
  const url = await server.createDatabase();
  const database = await openDatabase({ url });
  const { create } = await setScene(database);
  const write = async () => describeOutage(await create().catch(same));
  try {
    await server.setReadOnly('on');
    await expect.poll(write).toBe('refuses writes');
    await database.ping();
    expect(describeOutage(await database.assertWrites().catch(same))).toBe('refuses writes');
    await server.setReadOnly('off');
    await expect.poll(write).toBe(undefined);
    await database.assertWrites();
    for (const code of ['53100', '53200']) {
      await run(url, failWith(code));
      expect({ code, absence: await write() }).toEqual({ code, absence: 'refuses writes' });
    }
  } finally {
    await database.close();
    await server.stop();
  }
});

/** A full disk or memory is represented by its error, because it cannot be produced here. */
const failWith = (code: string) => `
  CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '${code}'; END $$;
  CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON operation FOR EACH ROW EXECUTE FUNCTION fail()`;

test('a wrong query is not an outage', async () => {
  const database = await openDatabase({ temporary: true });
  const { create } = await setScene(database);
  const wrong = await create({ repositoryId: 'repo_none', request }).catch(same);
  expect(wrong).toBeInstanceOf(Error);
  expect(isDatabaseAway(wrong)).toBe(false);
  await database.close();
});

const same = (error: unknown) => error;
