/** Watches for operations with events that are not stored yet, and stores them. */

import { setTimeout as delay } from 'node:timers/promises';
import { createFailureNote, type Log } from '@fettle/log';
import { awaitNewEvents, connectRedis, listUnstored } from '@fettle/queue';
import { within } from '../within.ts';
import { createSetAside } from './quarantine.ts';
import { isOwnTrouble, type Stores, storeOperation } from './store-operation.ts';

export interface StoreEventsOptions extends Stores {
  redisUrl: string;
  /** Nothing is appended to a Redis that was not compared with the database. */
  admit(): Promise<void>;
  log: Log;
}

export type EventStorage = ReturnType<typeof startStoringEvents>;

/** A moment's wait puts the events of a whole turn into one transaction, which costs a fifth of five. */
const gatherMs = 100;
const longestPauseMs = 10_000;

export function startStoringEvents({ redisUrl, log, admit, ...stores }: StoreEventsOptions) {
  const blocking = connectRedis(redisUrl);
  const note = createFailureNote(log, 'events could not be stored; they stay in Redis and are tried again');
  const setAside = createSetAside(log);
  let stopped = false;
  let failures = 0;

  /** What cannot be stored of one operation must not keep the others waiting. */
  async function storeOrSetAside(operationId: string): Promise<void> {
    try {
      await storeOperation(stores, operationId);
      setAside.stored(operationId);
    } catch (error) {
      if (!isOwnTrouble(error)) throw error;
      setAside.failed(operationId, error);
    }
  }

  async function round(): Promise<void> {
    // Whoever may not append yet wakes this loop.
    await admit();
    const unstored = await listUnstored(stores.redis);
    setAside.keep(new Set(unstored));
    for (const operationId of unstored.filter(setAside.isDue)) await storeOrSetAside(operationId);
    failures = 0;
    note.well();
    await awaitNewEvents(blocking, 5);
    await delay(gatherMs);
  }

  /** With growing steps and a random part, so that a database that comes back is not met by everybody at once. */
  async function pause(): Promise<void> {
    const ms = Math.min(500 * 2 ** failures, longestPauseMs);
    await delay(ms * (0.5 + Math.random() / 2));
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await round();
      } catch (error) {
        if (stopped) return;
        failures += 1;
        note.failed(error);
        await pause();
      }
    }
  }

  const running = run();
  return {
    /** Whether the last rounds went well. */
    isWell: () => failures < 3,
    /** How many operations have events that cannot be stored. */
    countSetAside: () => setAside.count(),
    async stop(): Promise<void> {
      stopped = true;
      blocking.disconnect();
      // While Redis is away, a command that waits for it never ends.
      await within(1_000, running);
    },
  };
}
