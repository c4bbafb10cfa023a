import type { Command } from 'commander';
import type { Finish } from '../../program.ts';

export function addPolicyCommand(program: Command, finish: Finish): void {
  const policy = program.command('policy').description('Ask the rules what the agent may do.');
  policy
    .command('check')
    .argument('[command line]', 'a command, as one word')
    .description('Judge a command, a path or a file by the rules, and say why.')
    .option('--path <path>', 'judge a path of a repository instead')
    .option('--op <operation>', 'what is done with it: read, write or delete (default: write)')
    .option('--repo <folder>', 'by the .fettle/config.yml in this folder, too')
    .option('--organization <name>', 'by the rules that FETTLE_POLICY_FILE has for it', 'default')
    .option('--set-up', 'judge it as a set-up command of the repository')
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
      const { policyCheck } = await import('./check.ts');
      finish(await policyCheck(line, command.optsWithGlobals()));
    });
  policy
    .command('report')
    .description('Show what was denied most, by rule and by the part that was meant.')
    .option('--since <time>', '30m, 12h, 7d, 4w, or a date', '7d')
    .option('--limit <number>', 'how many, up to 200', '20')
    .option('--offset <number>', 'go on where an earlier report ended', '0')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle policy report --since 30d')
    .action(async (_options, command: Command) => {
      const { policyReport } = await import('./report.ts');
      finish(await policyReport(command.optsWithGlobals()));
    });
}
