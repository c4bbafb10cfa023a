import type { Event } from '@fettle/contract';
import { openDatabase } from '@fettle/database';
import { expect, test } from 'vitest';
import { createEventTail } from './event-tail.ts';
import { followEvents } from './follow-events.ts';

const operationId = 'op';
const at = '2026-01-01T00:00:00.000Z';
const notice = (position: number): Event => ({
  ...{ operationId, position, at, type: 'notice', level: 'info', code: 'test', message: 'x' },
});
const end: Event = {
  ...{ operationId, position: 401, at, type: 'operation.settled', state: 'cancelled' },
  outcome: { kind: 'failure', reason: 'cancelled', message: 'Cancelled.' },
};
const record = [...Array.from({ length: 400 }, (_, index) => notice(index + 1)), end];

test('a follower that stops reading keeps one batch in memory, and one that reads gets every event once', async () => {
  const database = await openDatabase({ temporary: true });
  let read = 0;
  const list = async ({ after = 0, limit = 0 }) => {
    const events = record.slice(after, after + limit);
    read += events.length;
    return events;
  };
  const { signal } = new AbortController();
  const following = followEvents({
    database: { ...database, events: { ...database.events, list } },
    ...{ tail: createEventTail(), operationId, after: 0, signal },
  });
  expect((await following.next()).value).toEqual(record[0]);
  expect(read).toBeLessThanOrEqual(50);
  const rest: Event[] = [];
  for await (const event of following) rest.push(event);
  expect([rest, read]).toEqual([record.slice(1), record.length]);
  await database.close();
});
