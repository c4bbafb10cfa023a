import { Command, Option } from 'commander';

const whichService = () =>
  new Option('--service <service>', 'whose key (default: the service of FETTLE_MODEL)').choices([
    'anthropic',
    'openai',
  ]);

export function modelCommand(): Command {
  return new Command('model')
    .description('Store the key of a model, or show which key is used.')
    .addCommand(
      new Command('login')
        .description('Store a model key in FETTLE_HOME, readable only by you, for up, run and doctor.')
        .addOption(whichService())
        .option('--json', 'print one JSON object')
        .addHelpText(
          'after',
          `
The key is read from a prompt that does not show it, or from standard input. A key in the environment wins.

Examples:
  fettle model login
  fettle model login --service openai < key.txt`,
        )
        .action(async (_options, command: Command) => {
          const { modelLogin } = await import('./model-login.ts');
          await modelLogin(command.optsWithGlobals());
        }),
    )
    .addCommand(
      new Command('logout')
        .description('Remove the stored key.')
        .addOption(whichService())
        .option('--json', 'print one JSON object')
        .addHelpText(
          'after',
          '\nExit codes: 0 removed, 6 no key was stored.\n\nExample:\n  fettle model logout',
        )
        .action(async (_options, command: Command) => {
          const { modelLogout } = await import('./model-login.ts');
          process.exitCode = await modelLogout(command.optsWithGlobals());
        }),
    )
    .addCommand(
      new Command('status')
        .description('Show the model that is used, and where its key comes from.')
        .option('--json', 'print one JSON object')
        .addHelpText('after', '\nExample:\n  fettle model status')
        .action(async (_options, command: Command) => {
          const { modelStatus } = await import('./model-status.ts');
          await modelStatus(command.optsWithGlobals());
        }),
    );
}
