import { Command } from 'commander';

export function pruneCommand(): Command {
  return new Command('prune')
    .description('Remove what can be made again from FETTLE_HOME: caches, tools, old mirrors, leftovers.')
    .option('--older-than <age>', 'only what was not used for this long: 12h, 7d, 4w, 0d', '7d')
    .option('--dry-run', 'remove nothing, show where the disk space goes')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Kept in any case: the database, the queue, logs, keys, programs, and every mirror that an unfinished operation or a
proposal still needs. While a server runs, mirrors and tools are kept, too.

Examples:
  fettle prune --dry-run
  fettle prune --older-than 0d`,
    )
    .action(async (_options, command: Command) => {
      const { prune } = await import('./prune-home.ts');
      await prune(command.optsWithGlobals());
    });
}
