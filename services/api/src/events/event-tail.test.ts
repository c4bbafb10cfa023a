import type { Event } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createEventTail } from './event-tail.ts';

const event = (position: number, message = String(position)): Event => ({
  ...{ operationId: 'op', position, at: '2026-01-01T00:00:00.000Z' },
  ...{ type: 'notice', level: 'info', code: 'test', message },
});
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i));
const never = new AbortController().signal;

test('`after` returns the events after a position, or undefined if the tail does not reach back', () => {
  const tail = createEventTail();
  tail.publish('op', events(5, 9));
  expect(tail.after('op', 7)).toEqual(events(8, 9));
  expect(tail.after('op', 4)).toEqual(events(5, 9));
  expect(tail.after('op', 9)).toEqual([]);
  expect(tail.after('op', 3)).toBeUndefined();
  expect(tail.after('other', 0)).toBeUndefined();
});

test('only the newest events are kept', () => {
  const tail = createEventTail();
  tail.publish('op', events(1, 700));
  expect(tail.after('op', 0)).toBeUndefined();
  expect(tail.after('op', 699)).toEqual([event(700)]);
});

test('events that are published again are ignored, and a gap starts a new tail', () => {
  const tail = createEventTail();
  tail.publish('op', events(1, 3));
  tail.publish('op', events(2, 5));
  expect(tail.after('op', 0)).toEqual(events(1, 5));
  tail.publish('op', events(9, 9));
  expect(tail.after('op', 5)).toBeUndefined();
  expect(tail.after('op', 8)).toEqual(events(9, 9));
});

test('a new event wakes a waiting follower, and a follower that is behind does not wait', async () => {
  const tail = createEventTail();
  const waiting = tail.wait('op', 0, never);
  tail.publish('op', [event(1)]);
  await waiting;
  await tail.wait('op', 0, never);
});

test('an aborted follower stops waiting', async () => {
  const gone = new AbortController();
  const waiting = createEventTail().wait('op', 0, gone.signal);
  gone.abort();
  await waiting;
});

test('the tail of all operations is limited in characters, but keeps the newest event of each', async () => {
  const size = JSON.stringify(event(1)).length;
  const tail = createEventTail({ maxCharacters: 10 * size });
  tail.publish('first', events(1, 5));
  tail.publish('second', events(1, 5));
  expect(tail.after('first', 0)).toEqual(events(1, 5));
  tail.publish('second', events(6, 8));
  expect(tail.after('first', 2)).toBeUndefined();
  expect(tail.after('first', 3)).toEqual(events(4, 5));
  expect(tail.after('second', 0)).toEqual(events(1, 8));
  const long = event(9, 'x'.repeat(20 * size));
  tail.publish('second', [long]);
  expect([tail.after('first', 3), tail.after('second', 7)]).toEqual([undefined, undefined]);
  expect([tail.after('first', 4), tail.after('second', 8)]).toEqual([[event(5)], [long]]);
  await tail.wait('first', 4, never);
});
