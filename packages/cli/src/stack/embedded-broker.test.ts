import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { startBroker, wantsBroker } from './embedded-broker.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const environment = { PATH: process.env.PATH, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN };

test('a broker is wanted where containers could be, and nowhere else', async () => {
  const nowhere = { DOCKER_HOST: 'unix:///nowhere.sock' };
  expect(await wantsBroker(readConfig(nowhere))).toBe(false);
  expect(await wantsBroker(readConfig({ ...nowhere, FETTLE_SANDBOX: 'docker' }))).toBe(true);
  const named = { FETTLE_BROKER_URL: 'http://127.0.0.1:1', FETTLE_BROKER_KEY: 'a-key-of-somebody-else' };
  expect(await wantsBroker(readConfig({ ...named, FETTLE_SANDBOX: 'docker' }))).toBe(false);
  if (engine === undefined) return;
  expect(await wantsBroker(readConfig({ DOCKER_HOST: engine }))).toBe(true);
  expect(await wantsBroker(readConfig({ DOCKER_HOST: engine, FETTLE_SANDBOX: 'process' }))).toBe(false);
});

test.skipIf(engine === undefined).for([
  ['a socket', 'home'],
  ['a port, where the path is too long', 'h'.repeat(120)],
] as const)('one that is started again is where it was, by the same key: %s', async ([, name]) => {
  const folder = mkdtempSync(join(tmpdir(), 'broker-'));
  const home = join(folder, name);
  const config = readConfig({ ...environment, DOCKER_HOST: engine });
  const { signal } = new AbortController();
  try {
    const first = await startBroker(config, { home }, signal);
    await first.stop();
    const second = await startBroker(config, { home, again: first.address }, signal);
    await second.stop();
    expect(second.address).toEqual(first.address);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
