import { Command } from 'commander';

export function demoCommand(): Command {
  return new Command('demo')
    .description('Create a small repository with a real bug, and watch a recorded model fix it.')
    .option('--fast', 'do not pause for reading')
    .addHelpText('after', '\nExample:\n  fettle demo --fast')
    .action(async (_options, command: Command) => {
      const { runDemo } = await import('./run-demo.ts');
      process.exitCode = await runDemo(command.optsWithGlobals());
    });
}
