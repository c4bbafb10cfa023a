import { expect, test } from 'vitest';
import { createPace } from './rate-limit.ts';

const never = new AbortController().signal;

test('a burst passes at once, then one passes per interval', async () => {
  const pace = createPace({ burst: 3, perMinute: 1_200 }, never);
  const startedAt = performance.now();
  for (let i = 0; i < 3; i++) await pace();
  const burstMs = performance.now() - startedAt;
  for (let i = 0; i < 4; i++) await pace();
  const allMs = performance.now() - startedAt;
  // 4 beyond the burst at 50 ms each; only the lower bound is certain on a busy machine.
  expect(allMs - burstMs).toBeGreaterThan(150 - burstMs);
  expect(allMs).toBeGreaterThan(190);
});

test('who waits can be called off', async () => {
  const stop = new AbortController();
  const pace = createPace({ burst: 1, perMinute: 1 }, stop.signal);
  await pace();
  const waiting = pace();
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});

test('idle time does not add up to more than the burst', async () => {
  let clock = 0;
  const pace = createPace({ burst: 2, perMinute: 60 }, AbortSignal.timeout(50), () => clock);
  clock = 1_000_000;
  await pace();
  await pace();
  await expect(pace()).rejects.toThrow(/abort|timeout/i);
});
