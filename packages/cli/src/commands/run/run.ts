import type { Command } from 'commander';
import type { Finish } from '../../program.ts';

const several = (value: string, before: string[] = []): string[] => [...before, value];

export function addRunCommand(program: Command, finish: Finish): void {
  program
    .command('run')
    .argument('<kind>', 'debug, implement, refactor, fix or ask')
    .argument('<description...>', 'what is wanted, in your words')
    .description('Work on one request, with the running server or one that ends with this command.')
    .requiredOption('--repo <repository>', 'a path, a clone URL or owner/name')
    .option('--base <branch>', 'the branch to start from (default: the repository’s own)')
    .option('--file <path>', 'a file that it is about; may be given several times', several)
    .option('--priority <priority>', 'low, medium, high or critical')
    .option('--ticket <ticket>', 'such as PROJ-123')
    .option('--error-message <text>', 'the message of the error')
    .option('--stack-file <path>', 'a file with its stack trace')
    .option('--logs-file <path>', 'a file with logs')
    .option('--requirement <text>', 'what it must do; may be given several times', several)
    .option('--criterion <text>', 'when it is done; may be given several times', several)
    .option('--plan', 'stop with a plan until somebody has approved it; for implement')
    .option('--max-parts <number>', 'budget of parts')
    .option('--max-turns <number>', 'budget of turns')
    .option('--max-tokens <number>', 'budget of tokens')
    .option('--max-usd <number>', 'budget of US dollars, at list prices')
    .option('--max-seconds <number>', 'budget of time')
    .option('--no-review', 'no second agent looks at the change')
    .option('--idempotency-key <key>', 'the same key again gives the same operation')
    .option('--follow', 'show what happens, with a running server too')
    .option('--json', 'wait, then print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  fettle run fix "the total loses a cent" --repo .
  fettle run ask "where are sessions checked?" --repo ~/work/shop --json
  fettle run debug "import crashes" --repo . --stack-file crash.txt --ticket SHOP-12 --max-seconds 600`,
    )
    .action(async (kind: string, words: string[], _options, command: Command) => {
      const { run } = await import('./run-request.ts');
      finish(await run(kind, words, command.optsWithGlobals()));
    });
}
