import type { Command } from 'commander';
import type { Finish } from './program.ts';

export function addPolicyCommand(program: Command, finish: Finish): void {
  program
    .command('policy')
    .description('Ask the rules what the agent may do.')
    .command('check')
    .argument('[command line]', 'a command, as one word')
    .description('Judge a command, a path or a file by the built-in rules, and say why.')
    .option('--path <path>', 'judge a path of a repository instead')
    .option('--op <operation>', 'what is done with it: read, write or delete (default: write)')
    .option('--stdin-jsonl', 'judge one object a line, and answer with one a line')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: 0 allowed, 3 denied, or to be shown to a person first; 0 for --stdin-jsonl.

Examples:
  fettle policy check "npm test"
  fettle policy check --path .env --op read
  echo '{"path":"src/a.ts","content":"x"}' | fettle policy check --stdin-jsonl`,
    )
    .action(async (line: string | undefined, _options, command: Command) => {
      const { policyCheck } = await import('./commands/policy-check.ts');
      finish(await policyCheck(line, command.optsWithGlobals()));
    });
}
