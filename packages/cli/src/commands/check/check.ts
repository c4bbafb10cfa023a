import { Command } from 'commander';

export function checkCommand(): Command {
  return new Command('check')
    .description('Run the set-up and the checks of a repository in a sandbox, without a model.')
    .option('--repo <path>', 'the path or the URL of a git repository', '.')
    .option('--timeout <seconds>', 'the time limit of one command (default: FETTLE_CHECK_SECONDS)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
It works on the last commit of the default branch (of a clone: the branch that is checked out), and changes nothing.
Exit codes: 0 at least one check really ran, 1 none did.

Examples:
  fettle check
  fettle check --repo ~/work/shop --json`,
    )
    .action(async (_options, command: Command) => {
      const { checkRepositoryCommand } = await import('./check-repository-command.ts');
      process.exitCode = await checkRepositoryCommand(command.optsWithGlobals());
    });
}
