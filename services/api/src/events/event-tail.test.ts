import type { Event } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createEventTail } from './event-tail.ts';

const event = (position: number): Event => ({
  operationId: 'op',
  position,
  at: '2026-01-01T00:00:00.000Z',
  type: 'notice',
  level: 'info',
  code: 'test',
  message: String(position),
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
