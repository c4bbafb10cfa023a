/** The engine for tests. infra/engine/up.sh prints its address. A developer's own engine is used only if FETTLE_TEST_ENGINE names it. */
import { describe } from 'vitest';
import { engineAddress } from './on-engine.ts';

/** A group of tests that needs a real engine. Without one, it is skipped with the reason. */
export function describeWithEngine(name: string, tests: () => void): void {
  if (engineAddress !== '') describe(name, tests);
  else describe.skip(`${name} (needs an engine: FETTLE_TEST_ENGINE is not set)`, tests);
}
