import { expect, test } from 'vitest';
import { backoffMs, withJitter } from './index.ts';

const backoff = { firstMs: 100, longestMs: 1_000 };

test.each([
  [0, 100],
  [1, 200],
  [3, 800],
  [4, 1_000],
  [10_000, 1_000],
])('after %i failed tries the pause is at most %i ms, and at least half of it', (tries, longest) => {
  const pauses = Array.from({ length: 200 }, () => backoffMs(tries, backoff));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(longest / 2);
});

test('pauses differ', () => {
  expect(new Set(Array.from({ length: 50 }, () => withJitter(10_000))).size).toBeGreaterThan(10);
});
