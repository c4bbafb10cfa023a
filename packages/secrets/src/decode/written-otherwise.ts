/** Characters written otherwise, in their place: escapes, invisible ones among them, strings put together from parts. */
import type { DerivedTextBuilder } from './derived-text.ts';

const invisible =
  '[\\0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]+|(?:\\udb40[\\udc00-\\udfff])+';
const escapes = [
  '\\\\u(?<u>[0-9a-fA-F]{4})',
  '\\\\u\\{(?<point>[0-9a-fA-F]{1,6})\\}',
  '\\\\x(?<x>[0-9a-fA-F]{2})',
  '\\\\(?<octal>[01][0-7]{2})',
  '%(?<percent>[2-7][0-9a-fA-F])',
  '&#(?:(?<decimal>\\d{2,3})|x(?<hex>[0-9a-fA-F]{2}));',
].join('|');
const quote = '["\'`]';
const literal = `["'\`][^"'\`\\n]{0,200}["'\`]`;
const joins = [
  // "a" + "b", "a" . "b", "a" "b", also from line to line.
  `(?<=[\\w+/=.-])(?<seam>${quote}(?:\\s{1,40}|\\s{0,40}(?:\\+|\\.\\.?|&|\\|\\||\\\\)\\s{0,80})${quote})(?=[\\w+/=.-])`,
  `(?<list>(?:\\[|Array\\(|concat\\()\\s{0,20}(?:${literal}[\\s,]{0,40}){2,60}[\\])])(?=\\s{0,20}\\)?\\s{0,20}\\.(?:join|concat)|\\s{0,4}\\))`,
  `\\$\\{(?<inserted>${literal})\\}`,
  `(?<reversed>["'\`][^"'\`\\n]{16,300}["'\`])(?:\\.split\\([^)]{0,4}\\)\\.reverse|\\.chars\\(\\)\\.rev|\\.reverse|\\[::-1\\])`,
].join('|');
const otherwise = new RegExp(`${invisible}|${escapes}|${joins}`, 'g');

/** How far around it belongs to the same: the name before an equals sign, the rest of a token. */
const before = 200;
const after = 300;

export function addWrittenOtherwise(text: string, derived: DerivedTextBuilder): void {
  let done = -1;
  for (const match of text.matchAll(otherwise)) {
    const end = match.index + match[0].length;
    if (done < 0 || match.index > done + after || isApart(text, done, match.index)) {
      if (done >= 0) derived.keep(done, lineEnd(text, done));
      derived.separate();
      derived.keep(lineStart(text, match.index), match.index);
    } else derived.keep(done, match.index);
    derived.put(plain(match.groups ?? {}), match.index, end);
    done = end;
  }
  if (done >= 0) derived.keep(done, lineEnd(text, done));
}

/** Two places on lines of their own do not belong together. */
function isApart(text: string, from: number, to: number): boolean {
  const newline = text.indexOf('\n', from);
  return newline !== -1 && newline < to;
}

function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1) + 1, at - before, 0);
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return Math.min(newline === -1 ? text.length : newline, at + after);
}

function plain(groups: Record<string, string | undefined>): string {
  const { u, point, x, octal, percent, decimal, hex, list, inserted, reversed } = groups;
  const sixteen = u ?? point ?? x ?? percent ?? hex;
  if (sixteen !== undefined) return fromCode(Number.parseInt(sixteen, 16));
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
  if (decimal !== undefined) return fromCode(Number(decimal));
  if (list !== undefined) return [...list.matchAll(new RegExp(literal, 'g'))].map(([each]) => unquote(each)).join('');
  if (inserted !== undefined) return unquote(inserted);
  if (reversed !== undefined) return `"${[...unquote(reversed)].reverse().join('')}"`;
  return '';
}

function fromCode(code: number): string {
  return code > 0x10ffff || code === 0 ? '' : String.fromCodePoint(code);
}

function unquote(text: string): string {
  return text.slice(1, -1);
}
