import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { dim, green, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import type { Finding } from './diagnosis.ts';
import { examine } from './examine.ts';

export async function doctor({ json, color }: { json?: boolean; color: boolean }): Promise<ExitCode> {
  const findings = await examine(readConfig());
  const ok = findings.every(({ state }) => state !== 'problem');
  if (json) printJson({ ok, findings });
  else openTerminal(process.stdout, { color }).print(findings.flatMap(describeFinding));
  return ok ? exitCodes.done : exitCodes.unavailable;
}

const marks = { ok: green('✓ ok      '), warning: yellow('! warning '), problem: red('✗ problem ') };

function describeFinding({ state, name, message, advice }: Finding): Line[] {
  const line: Line = [marks[state], `${name.padEnd(14)} `, message];
  return [advice === undefined ? line : [...line, dim(`  ${advice}`)]];
}
