import { cutMiddle, cutMiddleLines, maxLineLength } from './bounds.ts';

/** Colours, cursor movements, and the addresses of terminal links. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character
const escapes = /\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** The output as lines without escape sequences, with paths relative to `folder`, where the program ran. */
export function plainLines(output: string, folder: string | undefined): string[] {
  const plain = cutMiddle(output).replaceAll(escapes, '');
  const lines = makeRelative(plain, folder).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return cutMiddleLines(lines).map((line) => line.slice(0, maxLineLength));
}

/** Each sandbox has its own folder, so absolute paths would make the same failure look different. */
export function makeRelative(text: string, folder: string | undefined): string {
  if (!folder || folder === '/') return text;
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '');
}
