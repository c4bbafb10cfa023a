/** Runs that are base64, hexadecimal or lists of character codes, where what they stand for is text. */
import type { DerivedTextBuilder } from './derived-text.ts';

const runs =
  /(?<base64>(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2})|(?<codes>(?<![\w.])(?:(?:0x[0-9a-fA-F]{2}|\d{2,3})[\s,]{1,4}){11,4000}(?:0x[0-9a-fA-F]{2}|\d{2,3}))/g;
const isHex = /^(?:[0-9a-fA-F]{2}){16,}$/;
const shortest = 12;
/** Enough to see that it is no text. */
const glance = 32;
const before = 120;

export function addEncodedRuns(text: string, derived: DerivedTextBuilder): void {
  for (const match of text.matchAll(runs)) {
    const { base64, codes } = match.groups ?? {};
    const plain = codes === undefined ? readRun(base64 ?? '') : readCodes(codes);
    if (plain === undefined) continue;
    derived.separate();
    // The name before it may say what it is.
    const line = text.lastIndexOf('\n', match.index - 1) + 1;
    derived.keep(Math.max(line, match.index - before), match.index);
    derived.put(plain, match.index, match.index + match[0].length);
  }
}

function readRun(run: string): string | undefined {
  if (isHex.test(run)) return readBytes(run, 'hex');
  // Both alphabets: Node reads either.
  return readBytes(run, 'base64');
}

function readBytes(run: string, encoding: 'hex' | 'base64'): string | undefined {
  if (textOf(Buffer.from(run.slice(0, glance), encoding)).length < shortest) return undefined;
  const plain = textOf(Buffer.from(run, encoding));
  return plain.length < shortest ? undefined : plain;
}

function readCodes(codes: string): string | undefined {
  const numbers = codes.split(/[\s,]+/).map(Number);
  const plain = textOf(Buffer.from(numbers.filter((code) => code < 256)));
  return plain.length < shortest ? undefined : plain;
}

/** Up to the first byte that no text has; two bytes a character are read as one. */
function textOf(bytes: Buffer): string {
  const text = (bytes[1] === 0 ? bytes.filter((byte) => byte !== 0) : bytes).toString('latin1');
  const end = text.search(/[^\t\n\r\x20-\x7e]/);
  return end === -1 ? text : text.slice(0, end);
}
