import { type ExitCode, exitCodes } from '../cli-error.ts';
import { printJson } from '../print-json.ts';
import { look } from '../work/look.ts';

export async function resume(id: string, { json }: { json?: boolean }): Promise<ExitCode> {
  return look(async ({ client, tellStandstill }) => {
    const operation = await client.resume(id);
    tellStandstill([operation]);
    if (json) printJson(operation);
    else process.stdout.write(`${id} goes on\n`);
    return exitCodes.done;
  });
}
