/** The sandboxes that this machine can have, for tests that go the whole way in each. */
import { findProgram } from '../../packages/sandbox/src/proc/find-program.ts';
import { engine, stopBrokers, workerSettings } from './brokers.ts';
import { atEnd } from './lifetime.ts';
import type { Environment } from './service-process.ts';

const bwrap = findProgram('bwrap', process.env.PATH ?? '');

/** Those that isolate, strongest first, and why one is missing. */
export const sandboxes = [
  { name: 'docker', missing: engine ? '' : 'FETTLE_TEST_ENGINE names no engine' },
  { name: 'bubblewrap', missing: bwrap ? '' : 'bwrap is not on the PATH' },
];

/** What the worker has to be told for this kind of sandbox; what that needs ends with the test. */
export async function settingsFor(name: string): Promise<Environment> {
  atEnd(stopBrokers);
  return workerSettings(name);
}
