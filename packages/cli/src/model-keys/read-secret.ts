/** Reads a secret from a prompt that does not show it, or from standard input. Never from an argument. */
import { text } from 'node:stream/consumers';
import type { ReadStream } from 'node:tty';
import { interruptedError, usageError } from '../cli-error.ts';

const maxLength = 1_000;

export async function readSecret(prompt: string, stdin: ReadStream = process.stdin): Promise<string> {
  const given = stdin.isTTY ? await readHidden(prompt, stdin) : await text(stdin);
  const secret = given.trim();
  if (secret === '')
    throw usageError('no key was given.', 'Type or paste the key, or pipe it into the command.');
  // Keys of real services are ASCII. Anything else is a mistake, such as a pasted page.
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length < 8 || secret.length > maxLength)
    throw usageError(
      'that is not a key: a key has 8 to 1000 printable characters without spaces.',
      'Nothing was stored.',
    );
  return secret;
}

const enter = ['\r', '\n', '\u{4}'];
const backspace = ['\u{7f}', '\b'];

function readHidden(prompt: string, stdin: ReadStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed = '';
  const onData = (chunk: Buffer) => {
    for (const character of chunk.toString('utf8')) {
      if (enter.includes(character)) return resolve(typed);
      if (character === '\u{3}') return reject(interruptedError());
      if (backspace.includes(character)) typed = typed.slice(0, -1);
      else if (typed.length <= maxLength) typed += character;
    }
  };
  process.stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.on('end', () => resolve(typed));
  return promise.finally(() => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  });
}
