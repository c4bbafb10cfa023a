/** Delivers one outbox entry to Redis: a job to the queue, an event to the stream of its operation. */
import type { Database, OutboxEntry } from '@fettle/database';
import { appendEvents, type CodeQueue, openStream, type Redis, StreamNotOpenError } from '@fettle/queue';

export type ReadableEntry = Exclude<OutboxEntry, { kind: 'unreadable' }>;

export interface DeliveryTargets {
  database: Database;
  redis: Redis;
  queue: CodeQueue;
}

/** Idempotent while Redis keeps its data. Returns the position of an event, and undefined for a job. */
export async function deliverEntry(
  { database, redis, queue }: DeliveryTargets,
  { operationId, key, ...entry }: ReadableEntry,
): Promise<number | undefined> {
  if (entry.kind === 'job') {
    await queue.addAgain(entry.payload);
    return undefined;
  }
  const append = () => appendEvents(redis, operationId, [entry.payload], { key });
  try {
    return await append();
  } catch (error) {
    if (!(error instanceof StreamNotOpenError)) throw error;
    await openStream(redis, operationId, await database.events.place(operationId));
    return append();
  }
}
