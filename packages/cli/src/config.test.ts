import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, withModel } from './config.ts';
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

test('the model of one request drops the settings that belong to another model', () => {
  const given = {
    HOME: '/nowhere',
    FETTLE_MODEL_THINKING: 'off',
    FETTLE_MODEL_CONTEXT_TOKENS: '9000',
    OPENAI_API_KEY: 'key',
  };
  const own = withModel(readConfig(given), 'claude-opus-5-5').environment;
  expect([own.FETTLE_MODEL, own.FETTLE_MODEL_THINKING]).toEqual(['claude-opus-5-5', 'off']);
  const { environment, model } = withModel(readConfig(given), 'openai:gpt-5.4');
  expect(model).toMatchObject({ service: 'openai', key: 'key' });
  expect([environment.FETTLE_MODEL_THINKING, environment.FETTLE_MODEL_CONTEXT_TOKENS]).toEqual([
    undefined,
    undefined,
  ]);
  expect(readConfig(given).environment.FETTLE_MODEL_CONTEXT_TOKENS).toBe('9000');
});
