import { FettleError } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createDatabase } from '../database.ts';
import { isDatabaseAway } from '../database-outage.ts';
import { openDatabase } from '../open-database.ts';
import { onServer } from '../testing/on-each-database.ts';
import { run } from '../testing/postgres-server.ts';
import { startRelay } from '../testing/relay.ts';
import { setScene } from '../testing/scene.ts';
import { connectToServer } from './server.ts';

onServer((server) => {
  test('times are right in any time zone of the server', async () => {
    const url = await server().createDatabase();
    expect(await run(url, 'SHOW timezone')).toEqual([{ TimeZone: 'Asia/Tokyo' }]);
    const database = await openDatabase({ url });
    const { operation } = await (await setScene(database)).create();
    await database.close();
    const [row] = await run(url, 'SELECT created_at FROM operation');
    expect(row).toEqual({ created_at: new Date(operation.createdAt) });
  });

  test('a broken connection does not end the process, and the next query uses a new one', async () => {
    const url = await server().createDatabase();
    const database = await openDatabase({ url });
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    await run(url, `${kill} AND datname = current_database()`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await database.ping();
    await database.close();
  });

  test('connections whose peer vanished without closing them are replaced', async () => {
    const url = await server().createDatabase();
    await (await openDatabase({ url })).close();
    const relay = await startRelay(url);
    const database = createDatabase(await connectToServer(relay.url, { silenceMs: 1_000 }));
    const askAll = () =>
      Promise.allSettled([
        ...Array.from({ length: 5 }, () => database.ping()),
        ...Array.from({ length: 5 }, () => database.operations.listQueued()),
        database.operations.claim({ id: 'op_none', worker: 'w', key: 'k', leaseSeconds: 6 }),
      ]);
    await askAll();
    relay.lose();
    for (const end of await askAll())
      if (end.status === 'rejected' && !(end.reason instanceof FettleError))
        expect(isDatabaseAway(end.reason)).toBe(true);
    expect(await database.operations.listQueued()).toEqual([]);
    await database.close();
    await relay.close();
  }, 15_000);
});
