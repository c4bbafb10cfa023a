import { Command } from 'commander';

export function initCommand(): Command {
  return new Command('init')
    .argument('[repo]', 'the root folder of a clone', '.')
    .description('Detect how a repository is set up and checked, and write it to .fettle/config.yml.')
    .option('--force', 'replace an existing config')
    .option('--print', 'print the config instead of writing it')
    .option('--json', 'print one JSON object')
    .option('--check', 'run `fettle check` afterwards, without asking')
    .option('--no-check', 'do not run `fettle check`, and do not ask')
    .addHelpText(
      'after',
      '\nExamples:\n  fettle init\n  fettle init --check\n  fettle init ~/work/shop --print',
    )
    .action(async (repository: string, _options, command: Command) => {
      const { writeRepositoryConfig } = await import('./write-repository-config.ts');
      process.exitCode = await writeRepositoryConfig(repository, command.optsWithGlobals());
    });
}
