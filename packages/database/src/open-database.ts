import type { Connection } from './connection/connection.ts';
import { createDatabase, type Database } from './database.ts';
import { migrate } from './migrations/migrate.ts';
import { type Migration, readMigrations } from './migrations/read-migrations.ts';

export type DatabasePlace =
  /** A Postgres server. */
  | { url: string; folder?: string | undefined }
  /** PGlite, in this process. */
  | { url?: undefined; folder: string }
  /** PGlite in a folder that is removed when the database is closed, for tests. */
  | { temporary: true };

/** Opens the database and brings its tables up to date. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const migrations = await readMigrations();
  const connection = await connect(place, migrations);
  try {
    await migrate(connection, migrations);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return createDatabase(connection);
}

/** Loads only the driver that is needed. Each costs tens of milliseconds at startup. */
async function connect(place: DatabasePlace, migrations: Migration[]): Promise<Connection> {
  if ('temporary' in place) {
    const { openTemporary } = await import('./connection/embedded.ts');
    return openTemporary(migrations);
  }
  if (place.url !== undefined) {
    const { connectToServer } = await import('./connection/server.ts');
    return connectToServer(place.url);
  }
  const { openFolder } = await import('./connection/embedded.ts');
  return openFolder(place.folder, migrations);
}
