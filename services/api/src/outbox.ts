import { crashPoint } from '@fettle/crash-point';
import type { Database } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { type CodeQueue, deliverOutboxEntry, type Redis } from '@fettle/queue';
import { within } from './within.ts';

export interface OutboxOptions {
  database: Database;
  redis: Redis;
  queue: CodeQueue;
  log: Log;
  /** How often to look for entries that an earlier process left behind. */
  everyMs?: number;
}

const batchSize = 200;

export type Outbox = ReturnType<typeof startOutbox>;

/**
 * Delivers what transactions left in the outbox, in order, one drain at a time. `flush` is called after each
 * transaction so that events keep their order; the timer is for what a crash or an absent Redis left undone.
 */
export function startOutbox({ database, redis, queue, log, everyMs = 2_000 }: OutboxOptions) {
  const relay = { redis, queue, lastPosition: database.events.lastPosition };
  const note = createFailureNote(log, 'outbox could not be delivered; it will be tried again');
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function drain(): Promise<void> {
    for (;;) {
      const entries = await database.outbox.pending(batchSize);
      if (entries.length === 0) return;
      for (const entry of entries) await deliverOutboxEntry(relay, entry);
      crashPoint('outbox-delivered');
      await database.outbox.markDelivered(entries.map(({ id }) => id));
      if (entries.length < batchSize) return;
    }
  }

  async function runDrain(): Promise<void> {
    try {
      await drain();
      note.well();
    } catch (error) {
      note.failed(error);
    }
  }

  /** Entries committed before this call are delivered by a drain that starts after it. */
  function flush(): Promise<void> {
    if (!current) {
      current = runDrain().finally(() => {
        current = undefined;
      });
      return current;
    }
    next ??= current.then(() => {
      next = undefined;
      return flush();
    });
    return next;
  }

  const timer = setInterval(flush, everyMs);
  return {
    /** Waits for delivery, but not for ever: when Redis is away, the entry stays and is delivered later. */
    async flush(): Promise<void> {
      await within(1_000, flush());
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await within(1_000, Promise.resolve(current));
    },
  };
}
