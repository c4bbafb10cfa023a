import { expect, test } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { onServer } from '../testing/on-each-database.ts';
import { run } from '../testing/postgres-server.ts';
import { setScene } from '../testing/scene.ts';

onServer((server) => {
  test('times are right whatever the server’s own zone is', async () => {
    const url = await server().createDatabase();
    expect(await run(url, 'SHOW timezone')).toEqual([{ TimeZone: 'Asia/Tokyo' }]);
    const database = await openDatabase({ url });
    const { operation } = await (await setScene(database)).create();
    await database.close();
    const [row] = await run(url, 'SELECT created_at FROM operation');
    expect(row).toEqual({ created_at: new Date(operation.createdAt) });
  });

  test('a broken connection does not end the process, and the next query has a new one', async () => {
    const url = await server().createDatabase();
    const database = await openDatabase({ url });
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    await run(url, `${kill} AND datname = current_database()`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await database.ping();
    await database.close();
  });
});
