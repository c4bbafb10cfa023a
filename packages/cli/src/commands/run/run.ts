import { Command } from 'commander';

const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function runCommand(): Command {
  return new Command('run')
    .argument('<kind>', 'debug, implement, refactor, fix or ask')
    .argument('<description...>', 'what you want, in your own words; - reads it from standard input')
    .description('Work on one request, on the running server or on one that ends with this command.')
    .option(
      '--repo <repository>',
      'a path, a clone URL or owner/name (default: the repository of the current folder)',
    )
    .option('--base <branch>', 'the branch to start from (default: the default branch of the repository)')
    .option('--file <path>', 'an existing file that the request is about (repeatable)', collect)
    .option('--model <name>', 'the model that works on this request (default: FETTLE_MODEL of the worker)')
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
    .option('--no-evidence', 'ask for no test that fails before a fix and passes after it')
    .option('--idempotency-key <key>', 'create one operation, however often the command runs with this key')
    .option('--follow', 'print the events, also when a running server does the work')
    .option('--json', 'wait for the end, then print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  fettle run fix "the total loses a cent"
  fettle run ask "where are sessions checked?" --repo ~/work/shop --json
  fettle run fix "the date is off by one" --model openai:gpt-5.4 --max-usd 0.50
  fettle run debug "import crashes" --stack-file crash.txt --ticket SHOP-12`,
    )
    .action(async (kind: string, description: string[], _options, command: Command) => {
      const { runRequest } = await import('./run-request.ts');
      process.exitCode = await runRequest(kind, description, command.optsWithGlobals());
    });
}
