/**
 * Allows one api per database of a Postgres server. Each api shows followers only the events that it stored itself, so
 * followers of a second api would miss events. The lock is an advisory lock of a session, so it ends with its process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseError } from '../errors.ts';
import { defaultSilenceMs, setSocketTimeout } from './socket-timeout.ts';

const lockNumber = 4_747_001;
const retryMs = 500;
const connectTimeoutMs = 10_000;
/** The loss of a session is noticed only when the session is used. */
const pingMs = 5_000;
/** With these settings, a server notices within ten seconds that its client is unreachable. */
const keepAliveSettings =
  'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

export interface SingleInstanceLock {
  release(): Promise<void>;
}

export interface LockOptions {
  url: string;
  /** How long to wait for another process that is shutting down. */
  timeoutMs: number;
  /** This process lost its session, and another process took the lock before it could reconnect. */
  onLost(error: DatabaseError): void;
  /** After this time without an answer, the connection counts as lost. */
  silenceMs?: number;
}

export async function acquireSingleInstanceLock({
  url,
  timeoutMs,
  onLost,
  silenceMs = defaultSilenceMs,
}: LockOptions): Promise<SingleInstanceLock> {
  const stopping = new AbortController();
  const acquire = async () => pingRegularly(await takeLock(url, timeoutMs), silenceMs);
  let client = await acquire();

  async function reacquire(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client = await acquire();
        return;
      } catch (error) {
        if (error instanceof DatabaseError) throw error;
        // The server is unreachable, for other processes too.
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Not `once` of node:events: it rejects at the error event that precedes the end.
      await new Promise((resolve) => client.once('end', resolve));
      await reacquire();
    }
    await client.end();
  }

  const keeping = keep().catch(onLost);
  return {
    async release() {
      stopping.abort();
      await client.end();
      await keeping;
    },
  };
}

/** Without regular queries, a lost session, whose lock another process may hold, could go unnoticed for hours. */
function pingRegularly(client: pg.Client, silenceMs: number): pg.Client {
  setSocketTimeout(client, silenceMs);
  const everyMs = Math.min(pingMs, silenceMs / 2);
  const ping = setInterval(() => client.query('SELECT 1').catch(() => {}), everyMs);
  ping.unref();
  client.once('end', () => clearInterval(ping));
  return client;
}

async function takeLock(url: string, timeoutMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // The 'end' event is enough.
  client.on('error', () => {});
  await client.connect();
  await client.query(keepAliveSettings);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${lockNumber}) AS taken`);
    if (rows[0].taken) return client;
    if (performance.now() > deadline) break;
    await delay(retryMs);
  }
  await client.end();
  throw new DatabaseError(
    'in_use',
    'Another Fettle api uses this database, and only one can run at a time. Stop the other one, or use a separate database.',
  );
}
