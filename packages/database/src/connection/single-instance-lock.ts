/**
 * One api per Postgres server's database: a second one's followers would fall silent, since each api shows what it
 * stored itself. The lock belongs to a session, so that it goes with its process, however that ends.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseError } from '../errors.ts';
import { limitSilence, longestSilenceMs } from './socket-timeout.ts';

const lockNumber = 4_747_001;
const againMs = 500;
const connectTimeoutMs = 10_000;
/** So often the session is used, since only then its loss shows here. */
const pulseMs = 5_000;
/** A server that is cut off from its client by the network finds out within this. */
const keepAlive =
  'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

export interface Holding {
  release(): Promise<void>;
}

export interface HoldOptions {
  url: string;
  /** How long one that is about to end is waited for. */
  patienceMs: number;
  /** Another process has it now: this one lost its session, and did not get it back in time. */
  onLost(error: DatabaseError): void;
  /** After how long a server that says nothing counts as gone. */
  silenceMs?: number;
}

export async function holdAlone({
  url,
  patienceMs,
  onLost,
  silenceMs = longestSilenceMs,
}: HoldOptions): Promise<Holding> {
  const stopping = new AbortController();
  const take = async () => keepInUse(await takeLock(url, patienceMs), silenceMs);
  let client = await take();

  async function regain(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client = await take();
        return;
      } catch (error) {
        if (error instanceof DatabaseError) throw error;
        // The server is away: it is away for everybody.
        await delay(againMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Not `once` of node:events, which fails at the error that comes before such an end.
      await new Promise((resolve) => client.once('end', resolve));
      await regain();
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

/** A session that nobody uses may be gone for hours, and its lock with somebody else, before this side hears of it. */
function keepInUse(client: pg.Client, silenceMs: number): pg.Client {
  limitSilence(client, silenceMs);
  const everyMs = Math.min(pulseMs, silenceMs / 2);
  const pulse = setInterval(() => client.query('SELECT 1').catch(() => {}), everyMs);
  pulse.unref();
  client.once('end', () => clearInterval(pulse));
  return client;
}

async function takeLock(url: string, patienceMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // The end of the session tells all there is to know.
  client.on('error', () => {});
  await client.connect();
  await client.query(keepAlive);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${lockNumber}) AS taken`);
    if (rows[0].taken) return client;
    if (performance.now() > deadline) break;
    await delay(againMs);
  }
  await client.end();
  throw new DatabaseError(
    'in_use',
    'Another api of Fettle uses this database. There can be one at a time: stop the other one first, or give this one a database of its own.',
  );
}
