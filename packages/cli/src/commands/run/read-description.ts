import { usageError } from '../../cli-error.ts';

/** More than a description may have, so that the limit of the request is what is reported. */
const maxCharacters = 100_000;

/** Joins the words of the description. A single `-` reads it from standard input. */
export async function readDescription(
  words: string[],
  stdin: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ');
  if (stdin.isTTY) process.stderr.write('Describe what you want. End with Ctrl-D on an empty line.\n');
  stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > maxCharacters) break;
  }
  if (text.trim() === '') throw usageError('the description on standard input is empty.');
  return text.trim();
}
