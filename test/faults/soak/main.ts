/** `npm run soak`: random faults for a long time. */
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopBrokers, workerSettings } from '../../support/brokers.ts';
import { runSoak } from './run-soak.ts';

const help = `Random faults over many short operations; at the end everything is checked.

  npm run soak -- [--seconds 1800] [--operations 300] [--seed N] [--sandbox process] [--calm]
                  [--embedded] [--logs FILE]

  --seconds N      how long faults are injected
  --operations N   how many operations to request in that time
  --seed N         repeats the faults of an earlier run
  --sandbox NAME   process, bubblewrap, or docker on the engine in FETTLE_TEST_ENGINE
  --calm           no faults: runs all operations and checks what they leave behind
  --embedded       PGlite, even if a Postgres server is available
  --logs FILE      write the logs of all processes to FILE if a check fails
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1800' },
    operations: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    sandbox: { type: 'string', default: 'process' },
    calm: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    logs: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const [seconds, operations, seed] = [values.seconds, values.operations, values.seed].map(Number);

if (values.help) process.stdout.write(help);
else if (!seconds || !operations || seed === undefined || Number.isNaN(seed)) {
  process.stderr.write(help);
  process.exitCode = 2;
} else {
  const { sandbox, calm } = values;
  const kind = `--sandbox ${sandbox}${calm ? ' --calm' : ''}`;
  const again = `npm run soak -- --seed ${seed} --seconds ${seconds} --operations ${operations} ${kind}`;
  console.log(`seed ${seed}; to repeat: ${again}`);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  interrupted.signal.addEventListener('abort', () => {
    // What was under way fails in its own way while everything is taken down.
    process.on('unhandledRejection', () => {});
  });
  const { faults, ...report } = await runSoak({
    ...{ seconds, operations, seed, calm, signal: interrupted.signal, embedded: values.embedded },
    sandbox: await workerSettings(sandbox),
    toolsHome: join(homedir(), '.fettle'),
    surroundings: { PATH: process.env.PATH },
    say: (line) => console.log(line),
    onWrong: (logs) => values.logs !== undefined && writeFileSync(values.logs, logs),
  }).finally(stopBrokers);
  console.log(JSON.stringify(report, null, 2));
  for (const fault of faults) console.log(`WRONG ${fault}`);
  console.log(
    faults.length === 0 ? 'everything is as it must be' : `${faults.length} wrong; to repeat: ${again}`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
