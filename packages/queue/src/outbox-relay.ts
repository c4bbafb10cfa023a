import { type EventBody, eventBodySchema, type Priority, prioritySchema } from '@fettle/contract';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { CodeQueue } from './code-queue.ts';
import { appendEvent } from './event-stream.ts';

export interface OutboxEntry {
  id: bigint | number;
  operationId: string;
  kind: string;
  key: string;
  payload: unknown;
}

const jobPayload = z.object({ operationId: z.string(), priority: prioritySchema });

/** Carries out one entry that a transaction left behind. Doing it twice is doing it once. */
export async function deliverOutboxEntry(redis: Redis, queue: CodeQueue, entry: OutboxEntry): Promise<void> {
  if (entry.kind === 'job') {
    const { operationId, priority }: { operationId: string; priority: Priority } = jobPayload.parse(
      entry.payload,
    );
    await queue.add(operationId, priority);
  } else {
    const body: EventBody = eventBodySchema.parse(entry.payload);
    await appendEvent(redis, entry.operationId, body, { key: entry.key });
  }
}
