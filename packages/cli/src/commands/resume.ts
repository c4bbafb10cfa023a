import { type ExitCode, exitCodes } from '../cli-error.ts';
import { look } from '../server/with-server.ts';
import { printJson } from '../view/print-json.ts';

export async function resume(id: string, { json }: { json?: boolean }): Promise<ExitCode> {
  return look(async ({ client, tellStandstill }) => {
    const operation = await client.resume(id);
    tellStandstill([operation]);
    if (json) printJson(operation);
    else process.stdout.write(`${id} goes on\n`);
    return exitCodes.done;
  });
}
