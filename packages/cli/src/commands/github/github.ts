import { Command } from 'commander';

export function githubCommand(): Command {
  return new Command('github')
    .description('Connect GitHub, or show what Fettle has access to.')
    .addCommand(
      new Command('setup')
        .description('Create a GitHub App for this server and store its key, readable only by you.')
        .option('--org <login>', 'the organization that owns the App (default: you)')
        .option('--name <name>', 'the name of the App, unique on GitHub (default: one with your host name)')
        .option('--public-url <url>', 'the https address at which GitHub reaches the api, for webhooks')
        .option('--json', 'print one JSON object per step')
        .addHelpText('after', '\nExample:\n  fettle github setup --org acme')
        .action(async (_options, command: Command) => {
          const { githubSetup } = await import('./setup.ts');
          await githubSetup(command.optsWithGlobals());
        }),
    )
    .addCommand(
      new Command('status')
        .description('Show the App, its installations and repositories, and missing permissions.')
        .option('--json', 'print one JSON object')
        .addHelpText('after', '\nExample:\n  fettle github status')
        .action(async (_options, command: Command) => {
          const { githubStatus } = await import('./status.ts');
          process.exitCode = await githubStatus(command.optsWithGlobals());
        }),
    );
}
