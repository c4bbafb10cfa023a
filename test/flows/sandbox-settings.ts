/** The sandboxes that this machine can have, for tests that go the whole way in each. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startService } from './service-process.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));
/** Those that isolate, strongest first, and why one is missing. */
export const sandboxes = [
  { name: 'docker', missing: engine ? '' : 'FETTLE_TEST_ENGINE names no engine' },
  { name: 'bubblewrap', missing: hasBubblewrap ? '' : 'bwrap is not on the PATH' },
];

/** What the worker has to be told for this kind of sandbox; what that needs ends with the test. */
export async function settingsFor(name: string): Promise<Record<string, string>> {
  if (name !== 'docker') return { FETTLE_SANDBOX: name };
  const folder = mkdtempSync(join(tmpdir(), 'fettle-broker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const key = 'a-key-for-the-flow-tests-broker';
  const broker = await startService('services/sandbox-broker/src/main.ts', {
    ...{ PATH: process.env.PATH, DOCKER_HOST: engine, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN },
    ...{
      FETTLE_BROKER_KEY: key,
      FETTLE_BROKER_SOCKET: join(folder, 'broker.sock'),
      FETTLE_LOG_LEVEL: 'warn',
    },
  });
  onTestFinished(() => broker.stop());
  return { FETTLE_SANDBOX: name, FETTLE_BROKER_URL: String(broker.ready.url), FETTLE_BROKER_KEY: key };
}
