import { afterEach, expect, test } from 'vitest';
import { showClock, showDay, showMinute, showSecond, showZone } from './local-time.ts';

const before = process.env.TZ;
afterEach(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

const all = (at: string) => [showSecond(at), showMinute(at), showDay(at), showClock(at), showZone(at)];

test.each([
  ['UTC', ['2026-07-01 23:30:05', '2026-07-01 23:30', '2026-07-01', '23:30:05', 'UTC']],
  ['Europe/Berlin', ['2026-07-02 01:30:05', '2026-07-02 01:30', '2026-07-02', '01:30:05', 'CEST']],
  ['Asia/Kolkata', ['2026-07-02 05:00:05', '2026-07-02 05:00', '2026-07-02', '05:00:05', 'GMT+5:30']],
])('in %s', (zone, expected) => {
  process.env.TZ = zone;
  expect(all('2026-07-01T23:30:05.123Z')).toEqual(expected);
});

test('the zone depends on the day', () => {
  process.env.TZ = 'Europe/Berlin';
  expect(showZone('2026-12-01T12:00:00Z')).toBe('CET');
});
