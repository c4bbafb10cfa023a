/**
 * Owns the outbox after the commit: it drains the entries, delivers them, and tells which operations are blocked by an
 * entry that cannot be delivered. Entries are written in `packages/database/src/outbox.ts`, because that has to happen in
 * the transaction that they describe. Delivery is here and not in the queue package, because only the api may use the
 * database, and because the end of an operation has to be prepared in both stores (`events/close-record.ts`).
 */
import { FettleError } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { isDatabaseAway, type OutboxEntry } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { closeRecord, isEnd } from '../events/close-record.ts';
import type { Stores } from '../events/store-operation.ts';
import type { RedisResync } from '../redis/resync-redis.ts';
import { within } from '../within.ts';
import { type DeliveryTargets, deliverEntry, type ReadableEntry } from './deliver-entry.ts';

export interface OutboxOptions extends Stores, DeliveryTargets {
  resync: RedisResync;
  log: Log;
  /** How often to look for entries that an earlier process did not deliver. */
  everyMs?: number;
}

const batchSize = 200;
const blockedMessage = 'an outbox entry cannot be delivered; its operation is blocked until it can';

export type Outbox = ReturnType<typeof startOutbox>;

/**
 * Delivers entries in order, one drain at a time. `flush` is called after each transaction, so that events keep their
 * order. The timer delivers what a crash or an unreachable Redis left behind. A job leaves the outbox when Redis has it, an
 * event only when it is stored in the database, because Redis may lose it before that.
 */
export function startOutbox({ resync, log, everyMs = 2_000, ...stores }: OutboxOptions) {
  const { database } = stores;
  const note = createFailureNote(log, 'the outbox could not be delivered; it will be retried');
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** Operations with an entry that cannot be delivered. */
  const blocked = new Set<string>();

  /** The events that Redis received since its last resync and that are not stored yet. */
  const sent = new Set<number>();
  let sentSinceResync = resync.count();

  async function prepare(entry: OutboxEntry): Promise<ReadableEntry> {
    if (entry.kind === 'unreadable') throw new Error(`cannot be read: ${entry.problem}`);
    if (entry.kind === 'event' && isEnd(entry.payload)) await closeRecord(stores, entry);
    return entry;
  }

  /** Returns whether the entry can be removed. */
  async function deliver(entry: ReadableEntry): Promise<boolean> {
    const position = await deliverEntry(stores, entry);
    if (position === undefined) return true;
    sent.add(entry.id);
    return position <= (await database.events.lastPosition(entry.operationId));
  }

  /** An entry that fails blocks the later entries of its own operation, but no other operation. */
  async function deliverAll(entries: OutboxEntry[], failed: Map<string, unknown>): Promise<void> {
    const done: number[] = [];
    let delivered = 0;
    for (const entry of entries) {
      const { operationId, id } = entry;
      if (failed.has(operationId) || sent.has(id)) continue;
      try {
        const readable = await prepare(entry);
        // The entry may have been stored since it was listed, and a resynced Redis would not recognise its key.
        if (resync.count() !== sentSinceResync) break;
        if (await deliver(readable)) done.push(id);
        delivered += 1;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failed.set(operationId, error);
        if (!blocked.has(operationId)) log.error({ operationId, err: error }, blockedMessage);
        blocked.add(operationId);
      }
    }
    if (delivered > 0) crashPoint('outbox-delivered');
    await database.outbox.markDelivered(done);
  }

  /** Lists entries after the resync of Redis, so that no stored event is delivered again. */
  async function listEntries(after: number, failed: Map<string, unknown>): Promise<OutboxEntry[]> {
    for (;;) {
      const before = resync.count();
      const entries = await database.outbox.pending({ limit: batchSize, after, except: [...failed.keys()] });
      if (entries.length > 0) await resync.ensure();
      if (resync.count() !== before) continue;
      if (sentSinceResync !== before) sent.clear();
      sentSinceResync = before;
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
      const isStale = resync.count() !== sentSinceResync;
      if (!isStale && entries.length < batchSize) break;
      after = isStale ? 0 : (entries.at(-1)?.id ?? after);
    }
    for (const id of sent) if (!listed.has(id)) sent.delete(id);
    for (const id of blocked) if (!failed.has(id)) blocked.delete(id);
    for (const error of failed.values()) throw error;
  }

  async function runDrain(): Promise<void> {
    try {
      await drain();
      note.recovered();
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
    /** Waits for the delivery, up to a limit. While Redis is unreachable, entries stay and are delivered later. */
    async flush(): Promise<void> {
      await within(1_000, flush());
    },
    /** Whether the jobs and events of the operation wait behind an entry that cannot be delivered. */
    isBlocked: (operationId: string) => blocked.has(operationId),
    /**
     * Fails while an event of the operation is undelivered, because its record is incomplete. Does not fail for an event
     * that can never be delivered.
     */
    async assertDelivered(operationId: string): Promise<void> {
      if (blocked.has(operationId)) return;
      const pending = await database.outbox.pendingFor(operationId);
      if (pending.some(({ kind }) => kind === 'event'))
        throw new FettleError('unavailable', `the record of operation ${operationId} is not complete yet`);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await within(1_000, Promise.resolve(current));
    },
  };
}
