import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@fettle/database';
import {
  awaitNewEvents,
  connectRedis,
  listUnstored,
  markStored,
  type Redis,
  readEvents,
} from '@fettle/queue';
import type { Logger } from 'pino';
import type { EventTail } from './event-tail.ts';

export interface StoreEventsOptions {
  database: Database;
  redis: Redis;
  redisUrl: string;
  tail: EventTail;
  log: Logger;
}

const batchSize = 500;
/** A moment's wait puts the events of a whole turn into one transaction, which costs a fifth of five. */
const gatherMs = 100;

/** Carries events from their Redis streams into the database, then shows them to followers: seen means stored. */
export function startStoringEvents({ database, redis, redisUrl, tail, log }: StoreEventsOptions) {
  const blocking = connectRedis(redisUrl);
  let stopped = false;

  async function storeOne(operationId: string): Promise<void> {
    for (;;) {
      // The stream holds what is not stored yet; what is stored in spite of that is left out by the database.
      const events = await readEvents(redis, operationId, 0, batchSize);
      await database.events.append(operationId, events);
      tail.publish(operationId, events);
      await markStored(redis, operationId, events.at(-1)?.position ?? 0);
      if (events.length < batchSize) return;
    }
  }

  /** What cannot be stored of one operation must not keep the others waiting. */
  async function storeOrReport(operationId: string): Promise<void> {
    try {
      await storeOne(operationId);
    } catch (error) {
      if (!stopped) log.error({ operationId, err: error }, 'events of an operation could not be stored');
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        for (const operationId of await listUnstored(redis)) await storeOrReport(operationId);
        await awaitNewEvents(blocking, 5);
        await delay(gatherMs);
      } catch (error) {
        if (stopped) return;
        log.warn({ error }, 'events could not be stored; they stay in Redis and are tried again');
        await delay(1_000);
      }
    }
  }

  const running = run();
  return {
    async stop(): Promise<void> {
      stopped = true;
      blocking.disconnect();
      await running;
    },
  };
}
