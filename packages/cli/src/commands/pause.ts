import { type ExitCode, exitCodes } from '../cli-error.ts';
import { look } from '../server/with-server.ts';
import { printJson } from '../view/print-json.ts';

export async function pause(id: string, { json }: { json?: boolean }): Promise<ExitCode> {
  return look(async ({ client }) => {
    const operation = await client.pause(id);
    const { state, waitsFor } = operation;
    if (json) printJson(operation);
    else process.stdout.write(`${id} is ${state}${waitsFor === null ? '' : `: waits for ${waitsFor}`}\n`);
    return exitCodes.done;
  });
}
