import { Command } from 'commander';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether this machine has what Fettle needs.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle doctor')
    .action(async (_options, command: Command) => {
      const { printDiagnoses } = await import('./print-diagnoses.ts');
      process.exitCode = await printDiagnoses(command.optsWithGlobals());
    });
}
