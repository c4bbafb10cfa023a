/** An api that is asked to end does so, whatever is away by then. */
import { expect, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';

test('ends while Redis is away', async () => {
  const platform = await startPlatform({ conversations: [], workers: 0 });
  try {
    await platform.redis.stop();
    const end = await platform.api.kill('SIGTERM');
    expect(end).toEqual({ code: 0, signal: null });
  } finally {
    await platform.close();
  }
});
