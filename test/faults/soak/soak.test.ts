/** Some minutes of random faults. `npm run soak` does the same for longer. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSoak } from './run-soak.ts';

const { env } = process;
const seed = Number(env.FETTLE_SOAK_SEED ?? 20_261_116);
const seconds = Number(env.FETTLE_SOAK_SECONDS ?? 120);
const operations = Number(env.FETTLE_SOAK_OPERATIONS ?? 75);
const again = `npm run soak -- --seed ${seed} --seconds ${seconds} --operations ${operations}`;

test(`every operation ends correctly with the faults of seed ${seed}`, { timeout: 1_800_000 }, async () => {
  console.log(`seed ${seed}; to repeat: ${again}`);
  const { faults, ...report } = await runSoak({
    ...{ seed, seconds, operations, sandbox: { FETTLE_SANDBOX: 'process' } },
    toolsHome: env.FETTLE_HOME ?? join(homedir(), '.fettle'),
    surroundings: { PATH: env.PATH, FETTLE_TEST_RUN: env.FETTLE_TEST_RUN },
    say: (line) => console.log(line),
  });
  console.log(JSON.stringify(report));
  expect({ faults, again }).toEqual({ faults: [], again });
});
