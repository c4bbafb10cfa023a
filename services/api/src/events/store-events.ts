/** Stores the events of all operations in the database, as they arrive in Redis. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { createFailureNote, type Log } from '@fettle/log';
import { awaitNewEvents, connectRedis, listUnstored } from '@fettle/queue';
import type { RedisResync } from '../redis/resync-redis.ts';
import { within } from '../within.ts';
import { createQuarantine } from './quarantine.ts';
import { isEventFailure, type Stores, storeOperation } from './store-operation.ts';

export interface StoreEventsOptions extends Stores {
  redisUrl: string;
  resync: RedisResync;
  log: Log;
}

export type EventStorage = ReturnType<typeof startStoringEvents>;

/** A short wait puts the events of a whole turn into one transaction, which costs a fifth of five transactions. */
const gatherMs = 100;
const backoff = { firstMs: 500, longestMs: 10_000 };

export function startStoringEvents({ redisUrl, log, resync, ...stores }: StoreEventsOptions) {
  const blocking = connectRedis(redisUrl);
  const note = createFailureNote(log, 'events could not be stored; they stay in Redis and will be retried');
  const quarantine = createQuarantine(log);
  let stopped = false;
  let failures = 0;

  /** Events of one operation that cannot be stored must not delay other operations. */
  async function storeOrQuarantine(operationId: string): Promise<void> {
    try {
      await storeOperation(stores, operationId);
      quarantine.stored(operationId);
    } catch (error) {
      if (!isEventFailure(error)) throw error;
      quarantine.failed(operationId, error);
    }
  }

  async function round(): Promise<void> {
    // A refused append wakes this loop, so that a restarted Redis is resynced at once.
    await resync.ensure();
    const unstored = await listUnstored(stores.redis);
    quarantine.keepOnly(new Set(unstored));
    for (const operationId of unstored.filter(quarantine.isDue)) await storeOrQuarantine(operationId);
    failures = 0;
    note.recovered();
    await awaitNewEvents(blocking, 5);
    await delay(gatherMs);
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await round();
      } catch (error) {
        if (stopped) return;
        failures += 1;
        note.failed(error);
        await delay(backoffMs(failures, backoff));
      }
    }
  }

  const running = run();
  return {
    /** False after several failures in a row. */
    isHealthy: () => failures < 3,
    /** How many operations have events that cannot be stored. */
    countQuarantined: () => quarantine.count(),
    async stop(): Promise<void> {
      stopped = true;
      blocking.disconnect();
      // While Redis is unreachable, a pending command never ends.
      await within(1_000, running);
    },
  };
}
