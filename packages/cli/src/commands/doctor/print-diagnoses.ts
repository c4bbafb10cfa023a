import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { dim, green, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import type { Diagnosis } from './diagnosis.ts';
import { examine } from './examine.ts';

export async function printDiagnoses({ json, color }: { json?: boolean; color: boolean }): Promise<ExitCode> {
  const diagnoses = await examine(readConfig());
  const ok = diagnoses.every(({ state }) => state !== 'problem');
  if (json) printJson({ ok, findings: diagnoses });
  else openTerminal(process.stdout, { color }).print(diagnoses.map(describe));
  return ok ? exitCodes.done : exitCodes.unavailable;
}

const marks = { ok: green('✓ ok      '), warning: yellow('! warning '), problem: red('✗ problem ') };

function describe({ state, name, message, advice }: Diagnosis): Line {
  const line: Line = [marks[state], `${name.padEnd(18)} `, message];
  return advice === undefined ? line : [...line, dim(`  ${advice}`)];
}
