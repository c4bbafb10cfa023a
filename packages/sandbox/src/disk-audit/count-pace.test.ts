import { expect, test } from 'vitest';
import { createCountPace } from './count-pace.ts';

/** A clock that counting moves on. */
function makePace() {
  const clock = { nowMs: 0 };
  const pace = createCountPace({ growth: 100, shortestPauseMs: 2000, now: () => clock.nowMs });
  const isCounted = async (taken: number, tookMs = 0) =>
    (await pace.count(taken, async () => {
      clock.nowMs += tookMs;
      return true;
    })) === true;
  return { clock, isCounted };
}

test('counts at first, then when enough is taken', async () => {
  const { isCounted } = makePace();
  expect(await isCounted(1000)).toBe(true);
  expect(await isCounted(1099)).toBe(false);
  expect(await isCounted(1100)).toBe(true);
  expect(await isCounted(1199)).toBe(false);
});

test('what others give back does not hide what is taken afterwards', async () => {
  const { isCounted } = makePace();
  expect(await isCounted(1000)).toBe(true);
  expect(await isCounted(200)).toBe(false);
  expect(await isCounted(300)).toBe(true);
});

test('counts by time too, the less often the longer it takes', async () => {
  const { clock, isCounted } = makePace();
  expect(await isCounted(0, 10)).toBe(true);
  clock.nowMs += 1999;
  expect(await isCounted(0)).toBe(false);
  clock.nowMs += 1;
  expect(await isCounted(0, 500)).toBe(true);
  clock.nowMs += 9999;
  expect(await isCounted(0)).toBe(false);
  clock.nowMs += 1;
  expect(await isCounted(0, 50_000)).toBe(true);
  clock.nowMs += 60_000;
  expect(await isCounted(0)).toBe(true);
});

test('a count that fails is followed by a pause as any other', async () => {
  const { clock, isCounted } = makePace();
  const pace = createCountPace({ growth: 100, shortestPauseMs: 2000, now: () => clock.nowMs });
  await expect(pace.count(0, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pace.count(0, async () => true)).toBeUndefined();
  expect(await isCounted(0)).toBe(true);
});
