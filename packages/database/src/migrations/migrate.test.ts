import { states } from '@fettle/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffToSchema, openSchemaEngine, readSchema } from '../../prisma/schema-engine.ts';
import type { Connection } from '../connection/connection.ts';
import { openTemporary } from '../connection/embedded.ts';
import { connectToServer } from '../connection/server.ts';
import { openDatabase } from '../open-database.ts';
import { onServer } from '../testing/on-each-database.ts';
import { run } from '../testing/postgres-server.ts';
import { migrate } from './migrate.ts';
import { type Migration, migrationsFolder, readMigrations } from './read-migrations.ts';

const checksum = '0'.repeat(64);
const good: Migration = {
  name: '9001_good',
  sql: `CREATE TABLE good (id INT); CREATE FUNCTION one() RETURNS INT LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;`,
  checksum,
};
const broken: Migration = { name: '9002_broken', sql: 'CREATE TABLE half (id INT); SELECT nonsense;', checksum };

function testMigrations(connect: () => Connection): void {
  const namesApplied = async () =>
    (await connect().query('SELECT migration_name FROM _prisma_migrations ORDER BY 1')).map(
      (row) => row.migration_name,
    );

  test('a failed migration leaves nothing behind and can be fixed', async () => {
    const known = await readMigrations();
    const names = known.map(({ name }) => name);
    await migrate(connect());
    await expect(migrate(connect(), [...known, good, broken])).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining('9002_broken failed and was rolled back: column "nonsense"'),
    });
    expect(await namesApplied()).toEqual(names);
    expect(await connect().query("SELECT to_regclass('good') AS good, to_regclass('half') AS half")).toEqual([
      { good: null, half: null },
    ]);
    expect(await migrate(connect(), [...known, good])).toEqual([good.name]);
    expect(await migrate(connect(), [...known, good])).toEqual([]);
    expect(await connect().query('SELECT one()')).toEqual([{ one: 1 }]);
  });

  test('a database of a newer version, or with a different history, is rejected', async () => {
    await expect(migrate(connect())).rejects.toMatchObject({
      code: 'newer',
      message: expect.stringContaining('9001_good'),
    });
    const known = await readMigrations();
    const changed = { ...good, checksum: '1'.repeat(64) };
    await expect(migrate(connect(), [...known, changed])).rejects.toMatchObject({ code: 'migration_changed' });
    await connect().query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '9001_good'");
    await expect(migrate(connect(), [...known, good])).rejects.toMatchObject({ code: 'migration_failed' });
  });
}

describe('on PGlite', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await openTemporary(await readMigrations());
  }, 60_000);
  afterAll(() => connection?.close());

  test('the migrations match the schema, and a difference is detected', async () => {
    const schema = await readSchema();
    expect(await diffToSchema(connection.adapter, schema)).toBe('');
    const wrong = schema.replace('model Organization {', 'model Organization {\n  motto String?');
    expect(await diffToSchema(connection.adapter, wrong)).toContain('ADD COLUMN     "motto" TEXT');
  });

  test('Prisma’s own engine agrees about what is applied', async () => {
    const engine = await openSchemaEngine(connection.adapter, await readSchema());
    const migrations = await readMigrations();
    const history = await engine.diagnoseMigrationHistory({
      migrationsList: {
        baseDir: migrationsFolder,
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
      optInToShadowDatabase: false,
      filters: { externalTables: [], externalEnums: [] },
    });
    engine.free();
    expect(history).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
  });

  test('the CHECK constraint allows exactly the states of the contract', async () => {
    const [row] = await connection.query(
      "SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'operation_state_check'",
    );
    const allowed = [...String(row?.rule).matchAll(/'(\w+)'/g)].map(([, state]) => state);
    expect(allowed).toEqual(states);
  });

  testMigrations(() => connection);
});

onServer((server) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connectToServer(await server().createDatabase());
  });
  afterAll(() => connection?.close());
  testMigrations(() => connection);

  test('concurrent starts apply each migration once', async () => {
    const url = await server().createDatabase();
    const opened = await Promise.all(Array.from({ length: 5 }, () => openDatabase({ url })));
    await Promise.all(opened.map((database) => database.close()));
    const known = await readMigrations();
    expect(await run(url, 'SELECT migration_name, checksum FROM _prisma_migrations')).toEqual(
      known.map(({ name, checksum }) => ({ migration_name: name, checksum })),
    );
  });
});
