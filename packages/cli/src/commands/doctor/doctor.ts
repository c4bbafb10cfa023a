import { Command, Option } from 'commander';
import { exitCodes } from '../../cli-error.ts';
import { dim, green, type Line, red, yellow } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { wrapLine } from '../../view/text/wrap-line.ts';
import type { Diagnosis } from './diagnosis.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether this machine has what Fettle needs.')
    .addOption(
      new Option('--service <name>', 'check only the settings of this service, in this environment').choices([
        ...services,
      ]),
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  fettle doctor\n  docker compose exec worker fettle doctor --service worker',
    )
    .action((_options, command: Command) => doctor(command.optsWithGlobals()));
}

const services = ['api', 'worker', 'broker'] as const;

interface DoctorOptions {
  service?: (typeof services)[number];
  json?: boolean;
  color: boolean;
}

async function doctor({ service, json, color }: DoctorOptions): Promise<void> {
  const { readConfig } = await import('../../config.ts');
  const { examine, examineNames } = await import('./examine.ts');
  const { examineService } = await import('./examine-settings.ts');
  const config = readConfig();
  const diagnoses =
    service === undefined
      ? await examine(config)
      : [...examineNames(config), ...(await examineService(config, service))];
  const ok = diagnoses.every(({ state }) => state !== 'problem');
  if (json) printJson({ ok, findings: diagnoses });
  else {
    const terminal = openTerminal(process.stdout, { color });
    terminal.print(diagnoses.flatMap((each) => describe(each, terminal.width())));
  }
  if (!ok) process.exitCode = exitCodes.unavailable;
}

const marks = { ok: green('✓ ok      '), warning: yellow('! warning '), problem: red('✗ problem ') };

/** Where the message begins. */
const column = 29;

function describe({ state, name, message, advice }: Diagnosis, width: number): Line[] {
  const line: Line = [marks[state], `${name.padEnd(18)} `, message];
  return wrapLine(advice === undefined ? line : [...line, dim(`  ${advice}`)], { width, indent: column });
}
