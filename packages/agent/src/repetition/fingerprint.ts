/** Short hashes of texts, less what differs between two runs of the same thing. */
import { hash } from 'node:crypto';

const maxCharacters = 65_536;
/** Where paths are looked for, which costs more. */
const maxAlikeCharacters = 4_000;

/** Every repetition is bounded, so that hostile text costs no more than plain text of its length. */
const varying = {
  id: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[0-9]{0,63}[a-f])[0-9a-f]{12,64}\b/,
  address: /\b0x[0-9a-f]{4,16}\b/,
  date: /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?)?/,
  time: /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/,
  duration: /\b\d{1,9}(?:\.\d{1,9})? ?(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/,
  temporaryName: /\/(?:tmp|var\/folders)\/[\w.+-]{1,64}/,
  process: /\b(?:pid:?|process|node:) ?\d{1,9}\b/,
  whiteSpace: /\s{2,64}/,
};
const varyingText = anyOf(Object.values(varying));

/** Starts at the beginning of a word only: a long word is looked at once, not from each of its letters. */
const path = /(?<![\w.@~/-])(?:[\w.@~-]{0,64}\/[\w.@~/-]{1,256}|[\w-]{1,64}\.[a-z]{1,5}\b)/;
const number = /\d{1,32}/;
const pathOrNumber = anyOf([path, number]);
const numbers = anyOf([number]);

export const hashText = (text: string): string => hash('sha1', text, 'base64url');

/** The same for two results that say the same, at another time, in another process. */
export const hashResult = (text: string): string => hashText(bound(text).replace(varyingText, '#'));

/** The same for outputs of the same lines: tests may run in another order each time. */
export const hashLines = (text: string): string =>
  hashText(bound(text).replace(varyingText, '#').split('\n').toSorted().join('\n'));

/** The same for texts that differ only in the files and numbers they name. */
export const hashAlike = (text: string): string =>
  hashText(bound(text, maxAlikeCharacters).replace(pathOrNumber, '#'));

export const hashWithoutNumbers = (text: string): string => hashText(bound(text).replace(numbers, '#'));

/** A word of a command that is a number, or a flag that ends with one; a number in a file's name is another matter. */
const loneNumber = /(\s(?:-{1,2}[a-z-]{0,30}=?)?)\d{1,9}(?=[\s"]|$)/gi;

/** The same for commands that differ only in how many, how long, or which time it is. */
export const hashCommand = (spelled: string): string => hashText(bound(spelled).replace(loneNumber, '$1#'));

/** One spelling for one input, whatever order its fields came in. */
export function spell(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return JSON.stringify(input) ?? 'nothing';
  const fields = Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(fields);
}

function bound(text: string, characters = maxCharacters): string {
  if (text.length <= characters) return text;
  return text.slice(0, characters / 2) + text.slice(-characters / 2);
}

function anyOf(patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gi');
}
