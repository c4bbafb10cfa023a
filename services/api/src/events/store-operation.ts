import { isEnded } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Database } from '@fettle/database';
import { closeStream, markStored, type Redis, readEvents } from '@fettle/queue';
import type { EventTail } from './event-tail.ts';

export interface Stores {
  database: Database;
  redis: Redis;
  tail: EventTail;
}

const batchSize = 500;

/** Carries one operation's events into the database, then shows them to followers: seen means stored. */
export async function storeOperation({ database, redis, tail }: Stores, operationId: string): Promise<void> {
  for (;;) {
    // The stream holds what is not stored yet; what is stored in spite of that is left out by the database.
    const events = await readEvents(redis, operationId, 0, batchSize);
    await database.events.append(operationId, events);
    crashPoint('events-stored');
    tail.publish(operationId, events);
    await markStored(redis, operationId, events.at(-1)?.position ?? 0);
    const last = events.at(-1);
    if (last?.type === 'operation.settled' && isEnded(last.state)) await closeStream(redis, operationId);
    if (events.length < batchSize) return;
  }
}
