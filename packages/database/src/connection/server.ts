import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { DatabaseError } from '../errors.ts';
import type { Connection, Session } from './connection.ts';
import { limitSilence, longestSilenceMs } from './socket-timeout.ts';

const maxConnections = 10;
const connectTimeoutMs = 10_000;

export async function connectToServer(
  url: string,
  { silenceMs = longestSilenceMs } = {},
): Promise<Connection> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    // The adapter drops the offset of every timestamp, so that a session in another zone would read wrong times.
    onConnect: async (client) => {
      limitSilence(client, silenceMs);
      await client.query("SET TIME ZONE 'UTC'");
    },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
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
      `The Postgres server of DATABASE_URL cannot be used: ${reason}. Check that it runs and that address, user and database name are right.`,
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
  let broken: Error | undefined;
  try {
    // A migration of large tables may take its time.
    limitSilence(client, 0);
    await client.query('BEGIN');
    await work({
      query: async (sql, values) => (await client.query(sql, values)).rows,
      script: async (sql) => {
        await client.query(sql);
      },
    });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    limitSilence(client, silenceMs);
    client.release(broken);
  }
}
