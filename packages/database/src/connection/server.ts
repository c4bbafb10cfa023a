import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { DatabaseError } from '../errors.ts';
import type { Connection, Session } from './connection.ts';
import { defaultSilenceMs, setSocketTimeout } from './socket-timeout.ts';

const maxConnections = 10;
const connectTimeoutMs = 10_000;

export async function connectToServer(
  url: string,
  { silenceMs = defaultSilenceMs } = {},
): Promise<Connection> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    // The adapter drops the offset of every timestamp, so a session in another time zone would read wrong times.
    onConnect: async (client) => {
      setSocketTimeout(client, silenceMs);
      await client.query("SET TIME ZONE 'UTC'");
    },
  });
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', () => {});
  await assertReachable(pool);
  return {
    adapter: new PrismaPg(pool),
    query: async (sql) => (await pool.query(sql)).rows,
    inTransaction: (work) => runInTransaction(pool, work, silenceMs),
    close: () => pool.end(),
  };
}

async function assertReachable(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    const reason =
      error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error);
    throw new DatabaseError(
      'unreachable',
      `Cannot connect to the Postgres server of DATABASE_URL: ${reason}. Check that it is running, and check the address, user and database name.`,
      { cause: error },
    );
  }
}

async function runInTransaction(
  pool: pg.Pool,
  work: (session: Session) => Promise<void>,
  silenceMs: number,
): Promise<void> {
  const client = await pool.connect();
  let rollbackError: Error | undefined;
  try {
    // A migration of large tables may take long.
    setSocketTimeout(client, 0);
    await client.query('BEGIN');
    await work({
      query: async (sql, values) => (await client.query(sql, values)).rows,
      script: async (sql) => {
        await client.query(sql);
      },
    });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      rollbackError = failure;
    });
    throw error;
  } finally {
    setSocketTimeout(client, silenceMs);
    client.release(rollbackError);
  }
}
