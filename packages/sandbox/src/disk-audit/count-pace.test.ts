import { expect, test } from 'vitest';
import { createCountPace } from './count-pace.ts';

/** Counting advances the clock by `tookMs`. */
function makePace() {
  const clock = { nowMs: 0 };
  const pace = createCountPace({ growth: 100, minPauseMs: 2000, now: () => clock.nowMs });
  const isCounted = async (used: number, tookMs = 0) =>
    (await pace.count(used, async () => {
      clock.nowMs += tookMs;
      return true;
    })) === true;
  return { clock, isCounted };
}

test('counts at first, then after enough growth', async () => {
  const { isCounted } = makePace();
  expect(await isCounted(1000)).toBe(true);
  expect(await isCounted(1099)).toBe(false);
  expect(await isCounted(1100)).toBe(true);
  expect(await isCounted(1199)).toBe(false);
});

test('deletions by others do not hide later growth', async () => {
  const { isCounted } = makePace();
  expect(await isCounted(1000)).toBe(true);
  expect(await isCounted(200)).toBe(false);
  expect(await isCounted(300)).toBe(true);
});

test('counts after a pause too, which grows with the duration of a count', async () => {
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

test('pauses after a failed count too', async () => {
  const { clock, isCounted } = makePace();
  const pace = createCountPace({ growth: 100, minPauseMs: 2000, now: () => clock.nowMs });
  await expect(pace.count(0, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pace.count(0, async () => true)).toBeUndefined();
  expect(await isCounted(0)).toBe(true);
});
