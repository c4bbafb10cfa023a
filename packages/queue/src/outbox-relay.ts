import { eventBodySchema, jobOrderSchema } from '@fettle/contract';
import type { Redis } from 'ioredis';
import type { CodeQueue } from './code-queue.ts';
import { appendEvents, openStream, StreamNotOpenError } from './event-stream.ts';

export interface OutboxEntry {
  id: bigint | number;
  operationId: string;
  kind: string;
  key: string;
  payload: unknown;
}

export interface RelayOptions {
  redis: Redis;
  queue: CodeQueue;
  /** The last position of an operation that the database holds, and the number of its latest claim. */
  place(operationId: string): Promise<{ position: number; fence: number }>;
}

/**
 * Carries out one entry that a transaction left behind. Doing it twice is doing it once, as long as Redis knows of it.
 * Gives the position of an event.
 */
export async function deliverOutboxEntry(
  options: RelayOptions,
  entry: OutboxEntry,
): Promise<number | undefined> {
  const { redis, queue, place } = options;
  if (entry.kind === 'job') {
    await queue.addBehind(jobOrderSchema.parse(entry.payload));
    return undefined;
  }
  const { operationId, key } = entry;
  const append = () => appendEvents(redis, operationId, [eventBodySchema.parse(entry.payload)], { key });
  try {
    return await append();
  } catch (error) {
    if (!(error instanceof StreamNotOpenError)) throw error;
    await openStream(redis, operationId, await place(operationId));
    return append();
  }
}
