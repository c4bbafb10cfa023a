import type { Command } from 'commander';
import type { Finish } from './program.ts';

export function addSecretsCommand(program: Command, finish: Finish): void {
  program
    .command('secrets')
    .description('Look for secrets, as it is done before anything leaves this machine.')
    .command('scan')
    .argument('[path]', 'a file, a folder (without .git and node_modules), or - for standard input', '.')
    .description('Find secrets, and say where they are without showing them.')
    .option('--name <file>', 'what to call standard input in the findings')
    .option('--stdin-jsonl', 'read {"id","text","filename"} a line, and answer {"id","findings"} a line')
    .option('--json', 'print one finding a line, as JSON')
    .addHelpText(
      'after',
      `
A finding is {"rule","file","line","column","severity","excerpt","fingerprint"}.

Exit codes: 0 nothing was found, 3 something was; with --stdin-jsonl always 0.

Examples:
  fettle secrets scan .
  git diff --cached | fettle secrets scan - --name staged.diff --json`,
    )
    .action(async (path: string, _options, command: Command) => {
      const { secretsScan } = await import('./commands/secrets-scan.ts');
      finish(await secretsScan(path, command.optsWithGlobals()));
    });
}
