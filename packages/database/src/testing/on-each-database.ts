/** Runs the same tests on PGlite and on a server. PGlite runs one statement at a time, so races show only on a server. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';

const setUpLimitMs = 60_000;

export function onEachDatabase(tests: (database: () => Database) => void): void {
  describe('on PGlite', () => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase({ temporary: true });
    }, setUpLimitMs);
    afterAll(() => database?.close());
    tests(() => database);
  });
  onServer((server) => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase({ url: await server().createDatabase() });
    });
    afterAll(() => database?.close());
    tests(() => database);
  });
}

export function onServer(tests: (server: () => PostgresServer) => void): void {
  const binaries = findPostgres();
  if (!binaries) {
    describe.skip('on a Postgres server: skipped, initdb and postgres are not installed', () =>
      tests(() => {
        throw new Error('there is no server');
      }));
    return;
  }
  describe('on a Postgres server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(binaries);
    }, setUpLimitMs);
    afterAll(() => server?.stop());
    tests(() => server);
  });
}
