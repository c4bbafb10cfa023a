import { cutMiddle, cutMiddleLines, maxLineLength } from './bounds.ts';

/** Colours, cursor movements, and the addresses behind links that terminals show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const escapes = /\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** What a program printed as lines without colours; `folder` is where it ran, and paths become relative to it. */
export function plainLines(output: string, folder: string | undefined): string[] {
  const plain = cutMiddle(output).replaceAll(escapes, '');
  const lines = makeRelative(plain, folder).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return cutMiddleLines(lines).map((line) => line.slice(0, maxLineLength));
}

/** Each sandbox has its own folder: without this, the same failure would not look the same twice. */
export function makeRelative(text: string, folder: string | undefined): string {
  if (!folder || folder === '/') return text;
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '');
}
