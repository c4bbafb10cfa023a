import { type Event, isEnded } from '@fettle/contract';
import type { Database } from '@fettle/database';
import type { EventTail } from './event-tail.ts';

export interface FollowOptions {
  database: Database;
  tail: EventTail;
  operationId: string;
  after: number;
  signal: AbortSignal;
}

/** Small, because a follower that reads slowly, or not at all, keeps one batch in memory, and each event may be large. */
const batchSize = 50;

/** Yields every event after a position, once and in order, until the operation has ended or the follower disconnects. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Event> {
  const { database, tail, operationId, signal } = options;
  let position = options.after;
  while (!signal.aborted) {
    const events =
      tail.after(operationId, position) ??
      (await database.events.list({ operationId, after: position, limit: batchSize }));
    for (const event of events) {
      yield event;
      position = event.position;
      if (isLast(event)) return;
    }
    if (events.length === 0) await tail.wait(operationId, position, signal);
  }
}

/** Whether no event can follow. */
export function isLast(event: Event): boolean {
  return event.type === 'operation.settled' && isEnded(event.state);
}
