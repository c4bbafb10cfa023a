import { Command } from 'commander';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { describeState } from '../view/describe-state.ts';
import { printJson } from '../view/print-json.ts';

interface ChangesOptions {
  idempotencyKey?: string;
  json?: boolean;
}

export function changesCommand(): Command {
  return new Command('changes')
    .argument(...idArgument)
    .argument('<text...>', 'what to change')
    .description('Request changes to a proposal. The agent adds one commit to its pull request.')
    .option('--idempotency-key <key>', 'request them once, however often the command runs with this key')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  fettle changes latest "keep the old name as an alias"\n\nTo reach an agent that is still working, use `fettle say`.',
    )
    .action(async (given: string, text: string[], { idempotencyKey, json }: ChangesOptions) => {
      const { withServer } = await import('../server/with-server.ts');
      await withServer(async ({ client, fettle }) => {
        const id = await resolveId(client, given);
        const operation = await client.requestChanges(id, text.join(' '), idempotencyKey);
        if (json) printJson(operation);
        else process.stdout.write(`${describeState(operation)}\nFollow it with: ${fettle} logs ${id}\n`);
      });
    });
}
