import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { seconds } from './seconds.ts';

const settings = { WAIT_SECONDS: seconds(30, 'how long', 2) };

test('a span that is too long for a timer is refused', () => {
  expect(readSettings(settings, { WAIT_SECONDS: '2000000' })).toEqual({ WAIT_SECONDS: 2_000_000 });
  expect(2_000_000_000).toBeLessThan(2 ** 31);
  for (const text of ['2592000', '1', '0', '-5', '1.5'])
    expect(() => readSettings(settings, { WAIT_SECONDS: text })).toThrow('WAIT_SECONDS');
});
