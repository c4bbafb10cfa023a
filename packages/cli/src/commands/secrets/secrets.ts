import type { Command } from 'commander';
import type { Finish } from '../../program.ts';

export function addSecretsCommand(program: Command, finish: Finish): void {
  const secrets = program
    .command('secrets')
    .description('Look for secrets, as it is done before anything leaves this machine; let one pass.');
  addAllowing(secrets, finish);
  secrets
    .command('scan')
    .argument(
      '[path]',
      'a file, a folder (without .git and node_modules), or - for standard input (default: ".")',
    )
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
    .action(async (path: string | undefined, _options, command: Command) => {
      const { secretsScan } = await import('./scan.ts');
      finish(await secretsScan(path, command.optsWithGlobals()));
    });
}

function addAllowing(secrets: Command, finish: Finish): void {
  secrets
    .command('allow')
    .argument('<fingerprint>', 'as a finding names it, such as fs1-0123456789abcdef')
    .description('Let a secret pass: a value for tests, or one that opens nothing any more.')
    .option('--reason <why>', 'why it may; kept on record and shown in proposals')
    .option('--expires <days>', 'until when, such as 30d')
    .option('--repo <repository>', 'only there (default: everywhere)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  fettle secrets allow fs1-0123456789abcdef --reason "a key of the test server" --expires 30d',
    )
    .action(async (fingerprint: string, _options, command: Command) => {
      const { secretsAllow } = await import('./allow.ts');
      finish(await secretsAllow(fingerprint, command.optsWithGlobals()));
    });

  secrets
    .command('allowed')
    .description('List the secrets that may pass: who let them, why, and until when.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle secrets allowed --json')
    .action(async (_options, command: Command) => {
      const { secretsAllowed } = await import('./allow.ts');
      finish(await secretsAllowed(command.optsWithGlobals()));
    });

  secrets
    .command('disallow')
    .argument('<fingerprint>', 'one that may pass')
    .description('Let a secret pass no longer.')
    .option('--repo <repository>', 'the repository that it was for')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle secrets disallow fs1-0123456789abcdef')
    .action(async (fingerprint: string, _options, command: Command) => {
      const { secretsDisallow } = await import('./allow.ts');
      finish(await secretsDisallow(fingerprint, command.optsWithGlobals()));
    });
}
