import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFettle } from './testing/run-fettle.ts';

// Never created: all of this is refused before.
const home = join(tmpdir(), 'no-home');

test.each(['/', '/absent', 'relative', '/usr'])('FETTLE_SANDBOX_FOLDERS=%s is wrong usage', async (value) => {
  const settings = { FETTLE_HOME: home, FETTLE_SANDBOX_FOLDERS: `/usr/share:${value}` };
  const { exitCode, stderr } = await runFettle(['sandbox', 'exec', '--', 'true'], settings);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^fettle: FETTLE_SANDBOX_FOLDERS: .*\n {2}Correct the environment variable/);
});

test.each([
  [
    { FETTLE_BROKER_URL: 'http://127.0.0.1:1' },
    'FETTLE_BROKER_KEY: must be set together with FETTLE_BROKER_URL',
  ],
  [{ FETTLE_BROKER_KEY: 'k'.repeat(16) }, 'FETTLE_BROKER_URL: must be set together with FETTLE_BROKER_KEY'],
  [{ FETTLE_BROKER_URL: 'foo', FETTLE_BROKER_KEY: 'k'.repeat(16) }, 'FETTLE_BROKER_URL: is not an address'],
])('an incomplete broker address is refused: %j', async (given, sentence) => {
  const args = ['sandbox', 'exec', '--backend', 'process', '--', 'true'];
  const { exitCode, stderr } = await runFettle(args, { FETTLE_HOME: home, ...given } as Record<
    string,
    string
  >);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`fettle: ${sentence}`);
});
