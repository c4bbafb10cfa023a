import { crashPoint } from '@fettle/crash-point';
import { isDatabaseAway, type OutboxEntry } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { type CodeQueue, deliverOutboxEntry } from '@fettle/queue';
import { closeRecord, isEnd } from './events/close-record.ts';
import type { Stores } from './events/store-operation.ts';
import { within } from './within.ts';

export interface OutboxOptions extends Stores {
  queue: CodeQueue;
  /** Nothing is appended to a Redis that was not compared with the database. */
  admit(): Promise<void>;
  log: Log;
  /** How often to look for entries that an earlier process left behind. */
  everyMs?: number;
}

const batchSize = 200;
const heldSentence = 'an operation is held back: what happened to it cannot be delivered';

export type Outbox = ReturnType<typeof startOutbox>;

/**
 * Delivers what transactions left in the outbox, in order, one drain at a time. `flush` is called after each
 * transaction so that events keep their order; the timer is for what a crash or an absent Redis left undone.
 */
export function startOutbox({ queue, log, admit, everyMs = 2_000, ...stores }: OutboxOptions) {
  const { database, redis } = stores;
  const relay = { redis, queue, place: database.events.place };
  const note = createFailureNote(log, 'outbox could not be delivered; it will be tried again');
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** What is not delivered of an operation, and why. */
  const held = new Map<string, unknown>();

  async function deliver(entry: OutboxEntry): Promise<void> {
    if (entry.kind === 'unreadable') throw new Error(`cannot be read: ${entry.problem}`);
    if (entry.kind === 'event' && isEnd(entry.payload)) await closeRecord(stores, entry.operationId);
    await deliverOutboxEntry(relay, entry);
  }

  /** What cannot be delivered of one operation waits with all that follows it, and keeps no other one waiting. */
  async function deliverAll(entries: OutboxEntry[], failed: Map<string, unknown>): Promise<void> {
    const delivered: number[] = [];
    for (const entry of entries) {
      const { operationId } = entry;
      if (failed.has(operationId)) continue;
      try {
        await deliver(entry);
        delivered.push(entry.id);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failed.set(operationId, error);
        if (!held.has(operationId)) log.error({ operationId, err: error }, heldSentence);
        held.set(operationId, error);
      }
    }
    crashPoint('outbox-delivered');
    await database.outbox.markDelivered(delivered);
  }

  async function drain(): Promise<void> {
    const failed = new Map<string, unknown>();
    for (;;) {
      const entries = await database.outbox.pending({ limit: batchSize, except: [...failed.keys()] });
      if (entries.length > 0) await admit();
      await deliverAll(entries, failed);
      if (entries.length < batchSize) break;
    }
    for (const id of held.keys()) if (!failed.has(id)) held.delete(id);
    for (const error of failed.values()) throw error;
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
    /** Whether the operation's jobs and events wait here because one of them could not be delivered. */
    isHeld: (operationId: string) => held.has(operationId),
    async stop(): Promise<void> {
      clearInterval(timer);
      await within(1_000, Promise.resolve(current));
    },
  };
}
