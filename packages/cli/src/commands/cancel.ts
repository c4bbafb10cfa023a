import { Command } from 'commander';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { printJson } from '../view/print-json.ts';

export function cancelCommand(): Command {
  return new Command('cancel')
    .argument(...idArgument)
    .description('Cancel an operation. It cannot be resumed afterwards.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle cancel op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { withServer } = await import('../server/with-server.ts');
      const operation = await withServer(async ({ client }) => client.cancel(await resolveId(client, id)));
      if (json) printJson(operation);
      else process.stdout.write(`${operation.id} is cancelled\n`);
    });
}
