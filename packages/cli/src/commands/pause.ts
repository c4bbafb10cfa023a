import { Command } from 'commander';
import { describeState } from '../view/describe-state.ts';
import { printJson } from '../view/print-json.ts';

export function pauseCommand(): Command {
  return new Command('pause')
    .argument('<id>', 'the operation')
    .description('Pause an operation after its current tool call. No work is lost.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle pause op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { withServer } = await import('../server/with-server.ts');
      const operation = await withServer(({ client }) => client.pause(id));
      if (json) printJson(operation);
      else process.stdout.write(`${describeState(operation)}\n`);
    });
}
