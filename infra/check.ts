/** `npm run check`: everything that CI checks without running tests. All steps run at once; failures show their output. */
import { parseArgs } from 'node:util';
import { runProgram } from '@fettle/process';

const steps: Record<string, string[]> = {
  lint: ['biome', 'ci', '--colors=off', '.'],
  types: ['tsc'],
  imports: ['vitest', 'run', '--project', 'unit', 'test/architecture.test.ts'],
  unused: ['knip', '--no-config-hints'],
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } });
const only: string[] = values.only;
const unknown = only.filter((name) => steps[name] === undefined);

if (unknown.length > 0) {
  console.error(`Unknown step '${unknown.join("', '")}'. The steps are ${Object.keys(steps).join(', ')}.`);
  process.exitCode = 2;
} else {
  const chosen = Object.entries(steps).filter(([name]) => only.length === 0 || only.includes(name));
  const passed = await Promise.all(chosen.map(([name, command]) => runStep(name, command)));
  if (passed.includes(false)) process.exitCode = 1;
}

async function runStep(name: string, command: string[]): Promise<boolean> {
  const start = performance.now();
  const { exitCode, stdout, stderr, error } = await runProgram(command, {
    cwd: `${import.meta.dirname}/..`,
    environment: process.env as Record<string, string>,
    endsWithParent: true,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const passed = exitCode === 0;
  console.log(`${name.padEnd(8)} ${passed ? 'ok    ' : 'failed'} ${seconds.padStart(5)} s`);
  if (!passed) console.log(`${stdout}${stderr}${error?.message ?? ''}`.trimEnd().replace(/^/gm, '  │ '));
  return passed;
}
