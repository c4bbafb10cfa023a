import { type ExitCode, exitCodes } from '../cli-error.ts';
import { look } from '../server/with-server.ts';
import { printJson } from '../view/print-json.ts';

export interface SayOptions {
  idempotencyKey?: string;
  json?: boolean;
}

export async function say(id: string, words: string[], options: SayOptions): Promise<ExitCode> {
  return look(async ({ client }) => {
    const message = await client.say(id, words.join(' '), options.idempotencyKey);
    if (options.json) printJson(message);
    else process.stdout.write(`${id} is told before its next turn (message ${message.number})\n`);
    return exitCodes.done;
  });
}
