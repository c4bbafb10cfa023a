import { Command } from 'commander';

const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function runCommand(): Command {
  return new Command('run')
    .argument('<kind>', 'debug, implement, refactor, fix or ask')
    .argument('<description...>', 'what you want, in your own words')
    .description('Work on one request, on the running server or on one that ends with this command.')
    .requiredOption('--repo <repository>', 'a path, a clone URL or owner/name')
    .option('--base <branch>', 'the branch to start from (default: the default branch of the repository)')
    .option('--file <path>', 'a file that the request is about (repeatable)', collect)
    .option('--priority <priority>', 'low, medium, high or critical')
    .option('--ticket <ticket>', 'for example PROJ-123')
    .option('--error-message <text>', 'the error message')
    .option('--stack-file <path>', 'a file with the stack trace')
    .option('--logs-file <path>', 'a file with logs')
    .option('--requirement <text>', 'something that the change must do (repeatable)', collect)
    .option('--criterion <text>', 'an acceptance criterion (repeatable)', collect)
    .option('--plan', 'propose a plan and wait for approval (only for implement)')
    .option('--max-parts <number>', 'budget of parts: texts and tool calls of the agent')
    .option('--max-turns <number>', 'budget of model turns')
    .option('--max-tokens <number>', 'budget of tokens')
    .option('--max-usd <number>', 'budget in US dollars, at list prices')
    .option('--max-seconds <number>', 'budget of time')
    .option('--no-review', 'skip the review by a second agent')
    .option('--idempotency-key <key>', 'create one operation, however often the command runs with this key')
    .option('--follow', 'print the events, also when a running server does the work')
    .option('--json', 'wait for the end, then print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  fettle run fix "the total loses a cent" --repo .
  fettle run ask "where are sessions checked?" --repo ~/work/shop --json
  fettle run debug "import crashes" --repo . --stack-file crash.txt --ticket SHOP-12 --max-seconds 600`,
    )
    .action(async (kind: string, description: string[], _options, command: Command) => {
      const { runRequest } = await import('./run-request.ts');
      process.exitCode = await runRequest(kind, description, command.optsWithGlobals());
    });
}
