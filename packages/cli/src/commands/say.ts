import { Command } from 'commander';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { printJson } from '../view/print-json.ts';

interface SayOptions {
  idempotencyKey?: string;
  json?: boolean;
}

export function sayCommand(): Command {
  return new Command('say')
    .argument(...idArgument)
    .argument('<text...>', 'what the agent should know')
    .description('Send a message to an operation. The agent will see it before its next turn.')
    .option('--idempotency-key <key>', 'send the message once, however often the command runs with this key')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle say op_01kxv3c9m2t8w4r6yq "leave the public API as it is"')
    .action(async (id: string, text: string[], { idempotencyKey, json }: SayOptions) => {
      const { withServer } = await import('../server/with-server.ts');
      const message = await withServer(async ({ client }) =>
        client.say(await resolveId(client, id), text.join(' '), idempotencyKey),
      );
      if (json) printJson(message);
      else
        process.stdout.write(
          `Message sent (message ${message.number}): the agent will see it before its next turn.\n`,
        );
    });
}
