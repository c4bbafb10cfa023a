import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CliError } from '../cli-error.ts';
import { readConfig } from '../config.ts';
import { openFolder } from '../testing/open-folder.ts';
import { canGoWithout, startBroker, wantsBroker } from './embedded-broker.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const environment = { PATH: process.env.PATH, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN };

async function startAndFail(settings: NodeJS.ProcessEnv): Promise<unknown> {
  const home = openFolder();
  try {
    const config = readConfig({ ...environment, ...settings });
    const broker = await startBroker(config, { home }, new AbortController().signal);
    await broker.stop();
    throw new Error('the broker started');
  } catch (error) {
    return error;
  }
}

test('a broker is wanted only if containers are possible', () => {
  expect(wantsBroker(readConfig({}))).toBe(true);
  expect(wantsBroker(readConfig({ FETTLE_SANDBOX: 'docker' }))).toBe(true);
  expect(wantsBroker(readConfig({ FETTLE_SANDBOX: 'process' }))).toBe(false);
  const named = { FETTLE_BROKER_URL: 'http://127.0.0.1:1', FETTLE_BROKER_KEY: 'a-key-of-another-broker' };
  expect(wantsBroker(readConfig({ ...named, FETTLE_SANDBOX: 'docker' }))).toBe(false);
});

test.for([
  ['unix:///nowhere.sock', 'no container engine answers at /nowhere.sock (ENOENT)', /^Start a Docker engine/],
  [
    'tcp://127.0.0.1:1',
    'no container engine answers at 127.0.0.1:1 (ECONNREFUSED)',
    /^Start a Docker engine/,
  ],
  ['nonsense', 'DOCKER_HOST is not a unix:// or tcp:// address', /^Correct or unset the named setting/],
] as const)(
  'without an engine, auto continues with the reason: %s',
  async ([DOCKER_HOST, message, advice]) => {
    const failure = await startAndFail({ DOCKER_HOST });
    expect(failure).toMatchObject({ code: 'no_sandbox', exitCode: 4, message });
    expect((failure as CliError).advice).toMatch(advice);
    expect(canGoWithout(readConfig({}), failure)).toBe(true);
    expect(canGoWithout(readConfig({ FETTLE_SANDBOX: 'docker' }), failure)).toBe(false);
  },
);

test.skipIf(engine === undefined).for([
  ['FETTLE_SANDBOX_RUNTIME', 'unheard-of', 'the engine does not know this runtime'],
  ['FETTLE_MAX_SANDBOXES', '0', 'must be at least 2'],
] as const)('an invalid setting is an error, even with auto: %s', async ([name, value, why]) => {
  const failure = await startAndFail({ DOCKER_HOST: engine, [name]: value });
  expect(failure).toMatchObject({ code: 'usage', exitCode: 2 });
  expect((failure as Error).message).toMatch(new RegExp(`^${name}: .*${why}.*$`));
  expect(canGoWithout(readConfig({}), failure)).toBe(false);
});

test.skipIf(engine === undefined).for([
  ['a socket', 'home'],
  ['a port, where the path is too long', 'h'.repeat(120)],
] as const)('a restarted broker has the same address and key: %s', async ([, name]) => {
  const home = join(openFolder(), name);
  const config = readConfig({ ...environment, DOCKER_HOST: engine });
  const { signal } = new AbortController();
  const first = await startBroker(config, { home }, signal);
  await first.stop();
  const second = await startBroker(config, { home, previous: first.address }, signal);
  await second.stop();
  expect(second.address).toEqual(first.address);
});
