// `npm run check`: everything that CI does but the slow parts. Every step is run, whatever the one before it
// said; only failures show their output. The unit tests come last and speak for themselves.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

interface Step {
  name: string;
  command: string[];
  /** Shows its output as it comes. */
  talks?: boolean;
}

const steps: Step[] = [
  { name: 'lint', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'types', command: ['tsc'] },
  { name: 'imports', command: ['vitest', 'run', '--project', 'unit', 'test/architecture.test.ts'] },
  { name: 'unused', command: ['knip', '--no-config-hints'] },
  { name: 'unit', command: ['vitest', 'run', '--project', 'unit'], talks: true },
];

const names = { type: 'string', multiple: true, default: [] as string[] } as const;
const { values } = parseArgs({ options: { only: names, skip: names } });
const unknown = [...values.only, ...values.skip].filter((name) => !steps.some((step) => step.name === name));
const chosen = steps.filter(
  ({ name }) => (values.only.length === 0 || values.only.includes(name)) && !values.skip.includes(name),
);

if (unknown.length > 0) {
  console.error(
    `There is no step '${unknown.join("', '")}'; there are ${steps.map((step) => step.name).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  for (const step of chosen) if (!(await runStep(step))) process.exitCode = 1;
}

async function runStep(step: Step): Promise<boolean> {
  if (step.talks) console.log(`${step.name.padEnd(8)} …`);
  const start = performance.now();
  const { ok, output } = await run(step);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!step.talks) console.log(`${step.name.padEnd(8)} ${ok ? 'ok    ' : 'failed'} ${seconds.padStart(5)} s`);
  if (!ok && output) console.log(output.trimEnd().replace(/^/gm, '  │ '));
  return ok;
}

function run({ command, talks }: Step): Promise<{ ok: boolean; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: `${import.meta.dirname}/..`,
      stdio: talks ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    // Ctrl-C reaches the whole group by itself; a plain kill reaches only this process.
    process.once('SIGTERM', () => {
      child.kill('SIGTERM');
      process.exit(143);
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: `${program}: ${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
