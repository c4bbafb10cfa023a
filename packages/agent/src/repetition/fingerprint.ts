/** Hashes of texts without the details that differ between two runs of the same thing. */
import { hash } from 'node:crypto';
import { maxSeen } from './limits.ts';

const maxCharacters = 65_536;
/** Lower, because searching for paths is slower. */
const maxSimilarCharacters = 4_000;

/** Every quantifier is bounded, so that hostile text is not slower than plain text of the same length. */
const varying = {
  id: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[0-9]{0,63}[a-f])[0-9a-f]{12,64}\b/,
  address: /\b0x[0-9a-f]{4,16}\b/,
  date: /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?)?/,
  time: /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/,
  duration: /\b\d{1,9}(?:\.\d{1,9})? ?(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/,
  temporaryPath: /\/(?:tmp|var\/folders)\/[\w.+-]{1,64}/,
  process: /\b(?:pid:?|process|node:) ?\d{1,9}\b/,
  whiteSpace: /\s{2,64}/,
};
const varyingText = anyOf(Object.values(varying));

/** Matches only at the start of a word, so that a long word is tried once and not from each letter. */
const path = /(?<![\w.@~/-])(?:[\w.@~-]{0,64}\/[\w.@~/-]{1,256}|[\w-]{1,64}\.[a-z]{1,5}\b)/;
const number = /\d{1,32}/;
const pathOrNumber = anyOf([path, number]);
const numbers = anyOf([number]);

export const hashText = (text: string): string => hash('sha1', text, 'base64url');

/** Ignores times, durations, ids and temporary paths. */
export const hashResult = (text: string): string => hashText(bound(text).replace(varyingText, '#'));

/** Also ignores the order of lines: tests may run in a different order each time. */
export const hashLines = (text: string): string =>
  hashText(bound(text).replace(varyingText, '#').split('\n').toSorted().join('\n'));

/** Ignores paths and numbers. */
export const hashSimilar = (text: string): string =>
  hashText(bound(text, maxSimilarCharacters).replace(pathOrNumber, '#'));

export const hashWithoutNumbers = (text: string): string => hashText(bound(text).replace(numbers, '#'));

/** A number as a word of a command or at the end of a flag, but not inside a file name. */
const loneNumber = /(\s(?:-{1,2}[a-z-]{0,30}=?)?)\d{1,9}(?=[\s"]|$)/gi;

/** Ignores the numbers in a command, such as counts and durations. */
export const hashCommand = (command: string): string => hashText(bound(command).replace(loneNumber, '$1#'));

/** JSON that does not depend on the order of the fields. */
export function serialise(input: unknown): string {
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

export interface SeenSet {
  /** Returns whether the key is new. */
  add(key: string): boolean;
}

/** A set that forgets the keys that were not added for the longest time. */
export function createSeenSet(): SeenSet {
  const keys = new Set<string>();
  return {
    add(key) {
      const isNew = !keys.delete(key);
      keys.add(key);
      if (keys.size > maxSeen) keys.delete(keys.values().next().value as string);
      return isNew;
    },
  };
}
