/** An api that gets SIGTERM ends, even if Redis is unavailable. */
import { expect, test } from 'vitest';
import { openPlatform } from '../support/lifetime.ts';

test('ends while Redis is unavailable', async () => {
  const platform = await openPlatform({ conversations: [], workers: 0 });
  await platform.redis.stop();
  const end = await platform.api.kill('SIGTERM');
  expect(end).toEqual({ code: 0, signal: null });
});
