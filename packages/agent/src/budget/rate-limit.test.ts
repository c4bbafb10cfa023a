import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const never = new AbortController().signal;

test('a burst passes at once, then one passes per interval', async () => {
  const rateLimit = createRateLimit({ burst: 3, perMinute: 1_200 }, never);
  const startedAt = performance.now();
  for (let i = 0; i < 3; i++) await rateLimit();
  const burstMs = performance.now() - startedAt;
  for (let i = 0; i < 4; i++) await rateLimit();
  const allMs = performance.now() - startedAt;
  // 4 requests beyond the burst at 50 ms each. On a busy machine only the lower bound is certain.
  expect(allMs - burstMs).toBeGreaterThan(150 - burstMs);
  expect(allMs).toBeGreaterThan(190);
});

test('waiting can be aborted', async () => {
  const stop = new AbortController();
  const rateLimit = createRateLimit({ burst: 1, perMinute: 1 }, stop.signal);
  await rateLimit();
  const waiting = rateLimit();
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});

test('idle time does not add up to more than the burst', async () => {
  let clock = 0;
  const rateLimit = createRateLimit({ burst: 2, perMinute: 60 }, AbortSignal.timeout(50), () => clock);
  clock = 1_000_000;
  await rateLimit();
  await rateLimit();
  await expect(rateLimit()).rejects.toThrow(/abort|timeout/i);
});
