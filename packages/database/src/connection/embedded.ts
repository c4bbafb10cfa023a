import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DatabaseError } from '../errors.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/read-migrations.ts';
import type { Connection } from './connection.ts';
import { lockFolder } from './folder-lock.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import { createDataFolder } from './template.ts';

/** Postgres in this process, with its files in `folder/data`. */
export async function openFolder(folder: string, migrations: Migration[]): Promise<Connection> {
  const lock = lockFolder(folder);
  try {
    const data = join(folder, 'data');
    await createDataFolder(data, migrations, createEmptyDatabase);
    assertVersion(data);
    const connection = await connectToData(data);
    return {
      ...connection,
      close: async () => {
        await connection.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The version of PGlite. It cannot open files of other versions, and fails with nothing but a stack trace. */
const postgresVersion = '18';

function assertVersion(data: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === postgresVersion) return;
  throw new DatabaseError(
    'other_version',
    `The database in ${data} was created by Postgres ${found}, but this version of Fettle contains Postgres ${postgresVersion}. Start the version of Fettle that created it, or move the folder to start with an empty database.`,
  );
}

/** In a temporary folder that is removed when the database is closed. */
export async function openTemporary(migrations: Migration[]): Promise<Connection> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-database-'));
  const connection = await openFolder(folder, migrations);
  return {
    ...connection,
    close: async () => {
      await connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createEmptyDatabase(data: string, migrations: Migration[]): Promise<void> {
  const connection = await connectToData(data);
  try {
    await migrate(connection, migrations);
  } finally {
    await connection.close();
  }
}

async function connectToData(data: string): Promise<Connection> {
  const client = await PGlite.create(data);
  return {
    adapter: pgliteAdapter(client),
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    inTransaction: (work) =>
      client.transaction((transaction) =>
        work({
          query: async (sql, values) => (await transaction.query<Record<string, unknown>>(sql, values)).rows,
          script: async (sql) => {
            await transaction.exec(sql);
          },
        }),
      ),
    close: () => client.close(),
  };
}
