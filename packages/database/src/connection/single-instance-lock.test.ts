import { expect, test } from 'vitest';
import { DatabaseError } from '../errors.ts';
import { onServer } from '../testing/on-each-database.ts';
import { run } from '../testing/postgres-server.ts';
import { startRelay } from '../testing/relay.ts';
import { acquireSingleInstanceLock } from './single-instance-lock.ts';

onServer((server) => {
  test('a process whose connection vanished learns that another one took the lock', async () => {
    const url = await server().createDatabase();
    const relay = await startRelay(url);
    const lost = Promise.withResolvers<DatabaseError>();
    const timeoutMs = 500;
    await acquireSingleInstanceLock({ url: relay.url, timeoutMs, silenceMs: 1_000, onLost: lost.resolve });
    relay.lose();
    // As a server does when keep-alives are not answered.
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    await run(url, `${kill} AND datname = current_database()`);
    const other = await acquireSingleInstanceLock({ url, timeoutMs, onLost: () => expect.fail() });
    expect(await lost.promise).toBeInstanceOf(DatabaseError);
    await other.release();
    await relay.close();
  }, 15_000);

  test('an idle session keeps the lock', async () => {
    const url = await server().createDatabase();
    const lock = await acquireSingleInstanceLock({
      url,
      timeoutMs: 500,
      silenceMs: 400,
      onLost: () => expect.fail(),
    });
    const sessions = `SELECT pid FROM pg_locks WHERE locktype = 'advisory'`;
    const before = await run(url, sessions);
    expect(before).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await run(url, sessions)).toEqual(before);
    await lock.release();
  });
});
