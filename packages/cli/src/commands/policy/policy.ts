import { Command } from 'commander';

export function policyCommand(): Command {
  return new Command('policy')
    .description('Show what the policy allows the agent to do.')
    .addCommand(checkCommand())
    .addCommand(reportCommand());
}

function checkCommand(): Command {
  return new Command('check')
    .argument('[command line]', 'a command line, quoted as one argument')
    .description('Check a command line, a path or the content of a file against the policy.')
    .option('--path <path>', 'check a path of a repository instead')
    .option('--op <operation>', 'what is done with the path: read, write or delete (default: write)')
    .option('--repo <folder>', 'also apply the .fettle/config.yml of this folder')
    .option('--organization <name>', 'apply the rules of this organization in FETTLE_POLICY_FILE', 'default')
    .option('--set-up', 'check it as a set-up command of the repository')
    .option('--stdin-jsonl', 'read one JSON object per line and print one answer per line')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit codes: 0 allowed, 3 denied or needs approval; always 0 with --stdin-jsonl.

Examples:
  fettle policy check "npm test"
  fettle policy check --path .env --op read
  echo '{"path":"src/a.ts","content":"x"}' | fettle policy check --stdin-jsonl`,
    )
    .action(async (line: string | undefined, _options, command: Command) => {
      const { policyCheck } = await import('./check.ts');
      process.exitCode = await policyCheck(line, command.optsWithGlobals());
    });
}

function reportCommand(): Command {
  return new Command('report')
    .description('Show what was denied most often, grouped by rule and token.')
    .option('--since <time>', '30m, 12h, 7d, 4w, or a date', '7d')
    .option('--limit <number>', 'how many groups, up to 200', '20')
    .option('--offset <number>', 'continue where an earlier report ended', '0')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle policy report --since 30d')
    .action(async (_options, command: Command) => {
      const { policyReport } = await import('./report.ts');
      await policyReport(command.optsWithGlobals());
    });
}
