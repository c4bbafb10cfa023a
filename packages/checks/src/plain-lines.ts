import { cutMiddle, cutMiddleLines, maxLineLength } from './bounds.ts';

/** Colours, cursor movements, character sets, and the addresses of terminal links. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character
const escapes = /\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]/g;

/** The output as lines without escape sequences, with paths relative to `folder`, where the program ran. */
export function plainLines(output: string, folder?: string): string[] {
  const plain = cutMiddle(output).replaceAll(escapes, '');
  const lines = makeRelative(plain, folder).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return withoutPrefixes(cutMiddleLines(lines).map((line) => line.slice(0, maxLineLength)));
}

/** How package managers and task runners mark the lines of several packages: pnpm, turbo and nx, Yarn, lerna. */
const script = '(?:test|lint|build|check|typecheck|type-check|format)[\\w:-]*';
const prefixes = [
  new RegExp(`^[\\w@./-]+ ${script}[:$] ?`),
  new RegExp(`^[\\w@./-]+:${script}: ?`),
  /^\[[\w@./-]+\]: ?/,
];

/** Removes the prefix that most lines have. */
function withoutPrefixes(lines: string[]): string[] {
  const texts = lines.filter((line) => line.trim() !== '');
  const prefix = prefixes.find(
    (each) => texts.length > 2 && texts.filter((line) => each.test(line)).length > 0.6 * texts.length,
  );
  return prefix === undefined ? lines : lines.map((line) => line.replace(prefix, ''));
}

/** Each sandbox has its own folder, so absolute paths would make the same failure look different. */
export function makeRelative(text: string, folder: string | undefined): string {
  if (!folder || folder === '/') return text;
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '');
}
