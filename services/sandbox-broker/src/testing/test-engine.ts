// The engine that tests may use: infra/engine/up.sh prints its address. An engine of a developer is never taken unasked.
import { describe } from 'vitest';
import { engineAddress } from './on-engine.ts';

/** A group of tests on a real engine; without one it says why it was left out. */
export function describeWithEngine(name: string, tests: () => void): void {
  if (engineAddress !== '') describe(name, tests);
  else describe.skip(`${name} (needs an engine: FETTLE_TEST_ENGINE is not set)`, tests);
}
