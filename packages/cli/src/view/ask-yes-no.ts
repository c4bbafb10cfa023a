/** Asks a question on the terminal. Enter means yes; a closed input means no. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface Streams {
  input: Readable;
  output: Writable;
}

export async function askYesNo(
  question: string,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const reader = createInterface({ input, output });
  try {
    output.write(`${question} [Y/n] `);
    const [answer] = await Promise.race([once(reader, 'line'), once(reader, 'close')]);
    return typeof answer === 'string' && /^(?:y(?:es)?)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
