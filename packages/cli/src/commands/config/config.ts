import { Command } from 'commander';

export function configCommand(): Command {
  return new Command('config')
    .description('Show what your config file and the environment set, and where each value comes from.')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
The file is $XDG_CONFIG_HOME/fettle/config.yml, by default ~/.config/fettle/config.yml. Options of the command line
win over environment variables, and those over the file.

Example:
  fettle config`,
    )
    .action(async (_options, command: Command) => {
      const { showConfig } = await import('./show-config.ts');
      showConfig(command.optsWithGlobals());
    });
}
