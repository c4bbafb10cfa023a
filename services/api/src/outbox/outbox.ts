import { crashPoint } from '@fettle/crash-point';
import { isDatabaseAway, type OutboxEntry } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { type CodeQueue, deliverOutboxEntry } from '@fettle/queue';
import { closeRecord, isEnd } from '../events/close-record.ts';
import type { Stores } from '../events/store-operation.ts';
import type { Admission } from '../redis/resync-redis.ts';
import { within } from '../within.ts';

export interface OutboxOptions extends Stores {
  queue: CodeQueue;
  admission: Admission;
  log: Log;
  /** How often to look for entries that an earlier process left behind. */
  everyMs?: number;
}

const batchSize = 200;
const heldSentence = 'an operation is held back: what happened to it cannot be delivered';

type Readable = Exclude<OutboxEntry, { kind: 'unreadable' }>;

export type Outbox = ReturnType<typeof startOutbox>;

/**
 * Delivers what transactions left in the outbox, in order, one drain at a time. `flush` is called after each
 * transaction so that events keep their order; the timer is for what a crash or an absent Redis left undone. A job
 * leaves the outbox when Redis has it; an event when it is stored, since Redis may lose it before.
 */
export function startOutbox({ queue, log, admission, everyMs = 2_000, ...stores }: OutboxOptions) {
  const { database, redis } = stores;
  const relay = { redis, queue, place: database.events.place };
  const note = createFailureNote(log, 'outbox could not be delivered; it will be tried again');
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** What is not delivered of an operation, and why. */
  const held = new Map<string, unknown>();

  /** The events that Redis was given since it was last compared, and that are not stored yet. */
  const sent = new Set<number>();
  let sentIn = admission.count();

  async function prepare(entry: OutboxEntry): Promise<Readable> {
    if (entry.kind === 'unreadable') throw new Error(`cannot be read: ${entry.problem}`);
    if (entry.kind === 'event' && isEnd(entry.payload)) await closeRecord(stores, entry);
    return entry;
  }

  /** Whether the entry has served its purpose. */
  async function deliver(entry: Readable): Promise<boolean> {
    const position = await deliverOutboxEntry(relay, entry);
    if (position === undefined) return true;
    sent.add(entry.id);
    return position <= (await database.events.lastPosition(entry.operationId));
  }

  /** What cannot be delivered of one operation waits with all that follows it, and keeps no other one waiting. */
  async function deliverAll(entries: OutboxEntry[], failed: Map<string, unknown>): Promise<void> {
    const done: number[] = [];
    let delivered = 0;
    for (const entry of entries) {
      const { operationId, id } = entry;
      if (failed.has(operationId) || sent.has(id)) continue;
      try {
        const readable = await prepare(entry);
        // It may have been stored since it was listed, and Redis would no longer know it.
        if (admission.count() !== sentIn) break;
        if (await deliver(readable)) done.push(id);
        delivered += 1;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failed.set(operationId, error);
        if (!held.has(operationId)) log.error({ operationId, err: error }, heldSentence);
        held.set(operationId, error);
      }
    }
    if (delivered > 0) crashPoint('outbox-delivered');
    await database.outbox.markDelivered(done);
  }

  /** Listed after Redis was compared, so that nothing is given to it again that is stored. */
  async function listEntries(after: number, failed: Map<string, unknown>): Promise<OutboxEntry[]> {
    for (;;) {
      const before = admission.count();
      const entries = await database.outbox.pending({ limit: batchSize, after, except: [...failed.keys()] });
      if (entries.length > 0) await admission.admit();
      if (admission.count() !== before) continue;
      if (sentIn !== before) sent.clear();
      sentIn = before;
      return entries;
    }
  }

  async function drain(): Promise<void> {
    const failed = new Map<string, unknown>();
    const listed = new Set<number>();
    for (let after = 0; ; ) {
      const entries = await listEntries(after, failed);
      for (const { id } of entries) listed.add(id);
      await deliverAll(entries, failed);
      const isStale = admission.count() !== sentIn;
      if (!isStale && entries.length < batchSize) break;
      after = isStale ? 0 : (entries.at(-1)?.id ?? after);
    }
    for (const id of sent) if (!listed.has(id)) sent.delete(id);
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
