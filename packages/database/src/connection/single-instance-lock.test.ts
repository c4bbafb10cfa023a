import { expect, test } from 'vitest';
import { DatabaseError } from '../errors.ts';
import { onServer } from '../testing/on-each-database.ts';
import { run } from '../testing/postgres-server.ts';
import { startRelay } from '../testing/relay.ts';
import { holdAlone } from './single-instance-lock.ts';

onServer((server) => {
  test('who is cut off without a word learns that another one has taken over', async () => {
    const url = await server().createDatabase();
    const relay = await startRelay(url);
    const lost = Promise.withResolvers<DatabaseError>();
    const patienceMs = 500;
    await holdAlone({ url: relay.url, patienceMs, silenceMs: 1_000, onLost: lost.resolve });
    relay.lose();
    // As a server does whose keep-alives are not answered.
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    await run(url, `${kill} AND datname = current_database()`);
    const other = await holdAlone({ url, patienceMs, onLost: () => expect.fail() });
    expect(await lost.promise).toBeInstanceOf(DatabaseError);
    await other.release();
    await relay.close();
  }, 15_000);

  test('a session that stands is kept, however little happens', async () => {
    const url = await server().createDatabase();
    const holding = await holdAlone({
      url,
      patienceMs: 500,
      silenceMs: 400,
      onLost: () => expect.fail(),
    });
    const sessions = `SELECT pid FROM pg_locks WHERE locktype = 'advisory'`;
    const before = await run(url, sessions);
    expect(before).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await run(url, sessions)).toEqual(before);
    await holding.release();
  });
});
