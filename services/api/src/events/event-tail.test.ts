import type { Event } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createEventTail } from './event-tail.ts';

const event = (position: number, message = String(position)): Event => ({
  operationId: 'op',
  position,
  at: '2026-01-01T00:00:00.000Z',
  type: 'notice',
  level: 'info',
  code: 'test',
  message,
});
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i));
const never = new AbortController().signal;

test('gives what follows a position, and undefined where it does not reach back', () => {
  const tail = createEventTail();
  tail.publish('op', events(5, 9));
  expect(tail.after('op', 7)).toEqual(events(8, 9));
  expect(tail.after('op', 4)).toEqual(events(5, 9));
  expect(tail.after('op', 9)).toEqual([]);
  expect(tail.after('op', 3)).toBeUndefined();
  expect(tail.after('other', 0)).toBeUndefined();
});

test('keeps only the newest', () => {
  const tail = createEventTail();
  tail.publish('op', events(1, 700));
  expect(tail.after('op', 0)).toBeUndefined();
  expect(tail.after('op', 699)).toEqual([event(700)]);
});

test('what is published again is there once, and what does not follow starts anew', () => {
  const tail = createEventTail();
  tail.publish('op', events(1, 3));
  tail.publish('op', events(2, 5));
  expect(tail.after('op', 0)).toEqual(events(1, 5));
  tail.publish('op', events(9, 9));
  expect(tail.after('op', 5)).toBeUndefined();
  expect(tail.after('op', 8)).toEqual(events(9, 9));
});

test('wakes who waits, and does not let wait who is behind', async () => {
  const tail = createEventTail();
  const waiting = tail.wait('op', 0, never);
  tail.publish('op', [event(1)]);
  await waiting;
  await tail.wait('op', 0, never);
});

test('a follower that goes away stops waiting', async () => {
  const gone = new AbortController();
  const waiting = createEventTail().wait('op', 0, gone.signal);
  gone.abort();
  await waiting;
});

test('keeps no more than so many characters of all operations together, and the newest event of each', async () => {
  const size = JSON.stringify(event(1)).length;
  const tail = createEventTail({ keptCharacters: 10 * size });
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
