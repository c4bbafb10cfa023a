import { Command } from 'commander';
import { exitCodes } from '../../cli-error.ts';
import { dim, green, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import type { Diagnosis } from './diagnosis.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether this machine has what Fettle needs.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle doctor')
    .action((_options, command: Command) => doctor(command.optsWithGlobals()));
}

async function doctor({ json, color }: { json?: boolean; color: boolean }): Promise<void> {
  const { readConfig } = await import('../../config.ts');
  const { examine } = await import('./examine.ts');
  const diagnoses = await examine(readConfig());
  const ok = diagnoses.every(({ state }) => state !== 'problem');
  if (json) printJson({ ok, findings: diagnoses });
  else openTerminal(process.stdout, { color }).print(diagnoses.map(describe));
  if (!ok) process.exitCode = exitCodes.unavailable;
}

const marks = { ok: green('✓ ok      '), warning: yellow('! warning '), problem: red('✗ problem ') };

function describe({ state, name, message, advice }: Diagnosis): Line {
  const line: Line = [marks[state], `${name.padEnd(18)} `, message];
  return advice === undefined ? line : [...line, dim(`  ${advice}`)];
}
