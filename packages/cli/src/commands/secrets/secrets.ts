import { Command } from 'commander';

export function secretsCommand(): Command {
  return new Command('secrets')
    .description('Scan for secrets, as Fettle does before every push, and allow known ones.')
    .addCommand(allowCommand())
    .addCommand(allowedCommand())
    .addCommand(disallowCommand())
    .addCommand(scanCommand());
}

function scanCommand(): Command {
  return new Command('scan')
    .argument(
      '[path]',
      'a file, a folder (without .git and node_modules), or - for standard input (default: ".")',
    )
    .description('Find secrets and print where they are, without showing them.')
    .option('--name <file>', 'the file name for standard input in the findings')
    .option('--stdin-jsonl', 'read {"id","text","filename"} per line and print {"id","findings"} per line')
    .option('--json', 'print one finding per line, as JSON')
    .addHelpText(
      'after',
      `
A finding is {"rule","file","line","column","severity","excerpt","fingerprint"}.

Exit codes: 0 nothing found, 3 something found; always 0 with --stdin-jsonl.

Examples:
  fettle secrets scan .
  git diff --cached | fettle secrets scan - --name staged.diff --json`,
    )
    .action(async (path: string | undefined, _options, command: Command) => {
      const { secretsScan } = await import('./scan.ts');
      process.exitCode = await secretsScan(path, command.optsWithGlobals());
    });
}

function allowCommand(): Command {
  return new Command('allow')
    .argument('<fingerprint>', 'the fingerprint of a finding, for example fs1-0123456789abcdef')
    .description('Allow a secret to be pushed: a test value, or a credential that was revoked.')
    .option('--reason <text>', 'why it is allowed; recorded, and shown in proposals')
    .option('--expires <days>', 'for how long, for example 30d')
    .option('--repo <repository>', 'only in this repository (default: in all repositories)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  fettle secrets allow fs1-0123456789abcdef --reason "a key of the test server" --expires 30d',
    )
    .action(async (fingerprint: string, options) => {
      const { secretsAllow } = await import('./allow.ts');
      await secretsAllow(fingerprint, options);
    });
}

function allowedCommand(): Command {
  return new Command('allowed')
    .description('List the allowed secrets: who allowed them, why and until when.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle secrets allowed --json')
    .action(async (options) => {
      const { secretsAllowed } = await import('./allow.ts');
      await secretsAllowed(options);
    });
}

function disallowCommand(): Command {
  return new Command('disallow')
    .argument('<fingerprint>', 'the fingerprint of an allowed secret')
    .description('Stop allowing a secret.')
    .option('--repo <repository>', 'the repository in which it is allowed')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle secrets disallow fs1-0123456789abcdef')
    .action(async (fingerprint: string, options) => {
      const { secretsDisallow } = await import('./allow.ts');
      await secretsDisallow(fingerprint, options);
    });
}
