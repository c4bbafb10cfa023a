import { Command } from 'commander';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { printJson } from '../view/print-json.ts';

export function resumeCommand(): Command {
  return new Command('resume')
    .argument(...idArgument)
    .description('Resume a paused operation.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle resume op_01kxv3c9m2t8w4r6yq')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { withServer } = await import('../server/with-server.ts');
      await withServer(async ({ client, warnIfStopped }) => {
        const operation = await client.resume(await resolveId(client, id));
        warnIfStopped([operation]);
        if (json) printJson(operation);
        else process.stdout.write(`${operation.id} is resumed\n`);
      });
    });
}
