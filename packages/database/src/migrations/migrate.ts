/**
 * Applies migrations in one transaction and records them in Prisma's own table. So a process that dies halfway leaves
 * nothing behind, and Prisma's schema engine is needed for development only.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, Row, Session } from '../connection/connection.ts';
import { DatabaseError } from '../errors.ts';
import { type Migration, readMigrations } from './read-migrations.ts';

/** The advisory lock of Prisma's own engine, so that both wait for each other. */
const advisoryLock = 72707369;

const appliedQuery = 'SELECT migration_name, checksum, finished_at, rolled_back_at FROM _prisma_migrations';

const createTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Returns the names of the migrations that it applied. */
export async function migrate(connection: Connection, migrations?: Migration[]): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  if (selectPending(known, await readApplied(connection)).length === 0) return [];
  const applied: string[] = [];
  await connection.inTransaction(async (session) => {
    await session.query(`SELECT pg_advisory_xact_lock(${advisoryLock})`);
    await session.query(createTable);
    // Read again: another process may have applied them while this one waited for the lock.
    for (const migration of selectPending(known, await session.query(appliedQuery))) {
      await apply(session, migration);
      applied.push(migration.name);
    }
  });
  return applied;
}

async function readApplied(connection: Connection): Promise<Row[]> {
  try {
    return await connection.query(appliedQuery);
  } catch (error) {
    const undefinedTable = '42P01';
    if ((error as { code?: string }).code === undefinedTable) return [];
    throw error;
  }
}

function selectPending(known: Migration[], rows: Row[]): Migration[] {
  const applied = rows.filter((row) => row.rolled_back_at === null);
  const checksums = new Map(applied.map((row) => [row.migration_name as string, row.checksum as string]));
  const unfinished = applied.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new DatabaseError(
      'migration_failed',
      `Another tool left the migration ${unfinished.migration_name} unfinished. Repair it with that tool, or restore a backup.`,
    );
  }
  const names = new Set(known.map((migration) => migration.name));
  const unknown = [...checksums.keys()].find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw new DatabaseError(
      'newer',
      `The database was used by a newer version of Fettle (this version does not know the migration ${unknown}). Start the newer version, or restore a backup.`,
    );
  }
  const changed = known.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed) {
    throw new DatabaseError(
      'migration_changed',
      `The migration ${changed.name} was changed after it had been applied. Restore its file, and add a new migration.`,
    );
  }
  return known.filter(({ name }) => !checksums.has(name));
}

async function apply(session: Session, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await session.script(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      'migration_failed',
      `The migration ${name} failed and was rolled back: ${reason}`,
      { cause: error },
    );
  }
  await session.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), now(), 1)`,
    [randomUUID(), checksum, name],
  );
}
