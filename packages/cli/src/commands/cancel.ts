import { type ExitCode, exitCodes } from '../cli-error.ts';
import { look } from '../server/with-server.ts';
import { printJson } from '../view/print-json.ts';

export async function cancel(id: string, { json }: { json?: boolean }): Promise<ExitCode> {
  return look(async ({ client }) => {
    const operation = await client.cancel(id);
    if (json) printJson(operation);
    else process.stdout.write(`${operation.id} is cancelled\n`);
    return exitCodes.done;
  });
}
