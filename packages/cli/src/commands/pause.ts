import { Command } from 'commander';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { describeState } from '../view/describe-state.ts';
import { printJson } from '../view/print-json.ts';

export function pauseCommand(): Command {
  return new Command('pause')
    .argument(...idArgument)
    .description('Pause an operation after its current tool call. No work is lost.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle pause op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { withServer } = await import('../server/with-server.ts');
      const operation = await withServer(async ({ client }) => client.pause(await resolveId(client, id)));
      if (json) printJson(operation);
      else process.stdout.write(`${describeState(operation)}\n`);
    });
}
