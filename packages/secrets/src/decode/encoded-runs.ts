/** Runs of base64, hexadecimal or character codes that decode to text. */
import type { DerivedTextBuilder } from './derived-text.ts';

const codes = /(?<![\w.])(?:0x[0-9a-fA-F]{2}|\d{2,3})(?:[\s,]{1,4}(?:0x[0-9a-fA-F]{2}|\d{2,3})){11,4000}/g;
const isHex = /^(?:[0-9a-fA-F]{2}){16,}$/;
const shortestRun = 20;
const shortestPlain = 12;
/** Enough to see that it is not text. */
const glance = 32;
const before = 120;

export function addEncodedRuns(text: string, derived: DerivedTextBuilder): void {
  const add = (start: number, end: number, plain: string | undefined) => {
    if (plain === undefined) return;
    derived.separate();
    // The name before it may say what it is.
    const from = Math.max(0, start - before);
    derived.keep(from + text.slice(from, start).lastIndexOf('\n') + 1, start);
    derived.put(plain, start, end);
  };
  for (const { start, end } of listRuns(text)) add(start, end, readRun(text.slice(start, end)));
  for (const { 0: list, index } of text.matchAll(codes)) add(index, index + list.length, readCodes(list));
}

const alphabet = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  alphabet[char.charCodeAt(0)] = 1;

/**
 * Long runs of base64 characters. Scanned by hand and backwards: if the last character of a possible run is not
 * base64, the whole window is skipped.
 */
function* listRuns(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start + shortestRun <= text.length; ) {
    let last = start + shortestRun - 1;
    while (last >= start && isInAlphabet(text, last)) last -= 1;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + shortestRun;
    while (end < text.length && isInAlphabet(text, end)) end += 1;
    // Padding.
    for (let fill = 0; fill < 2 && text[end] === '='; fill += 1) end += 1;
    yield { start, end };
    start = end + 1;
  }
}

function isInAlphabet(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && alphabet[code] === 1;
}

function readRun(run: string): string | undefined {
  if (isHex.test(run)) return readBytes(run, 'hex');
  // Node decodes both base64 alphabets.
  return readBytes(run, 'base64');
}

function readBytes(run: string, encoding: 'hex' | 'base64'): string | undefined {
  if (textOf(Buffer.from(run.slice(0, glance), encoding)).length < shortestPlain) return undefined;
  const plain = textOf(Buffer.from(run, encoding));
  return plain.length < shortestPlain ? undefined : plain;
}

function readCodes(codes: string): string | undefined {
  const numbers = codes.split(/[\s,]+/).map(Number);
  const plain = textOf(Buffer.from(numbers.filter((code) => code < 256)));
  return plain.length < shortestPlain ? undefined : plain;
}

/** Up to the first byte that text cannot contain. UTF-16 is read as well. */
function textOf(bytes: Buffer): string {
  const text = (bytes[1] === 0 ? bytes.filter((byte) => byte !== 0) : bytes).toString('latin1');
  const end = text.search(/[^\t\n\r\x20-\x7e]/);
  return end === -1 ? text : text.slice(0, end);
}
