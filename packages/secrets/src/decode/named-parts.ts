/** Strings that are assigned to names first and concatenated by name: `a + b`, `${a}${b}`, `f"{a}{b}"`, `$a$b`. */
import type { DerivedTextBuilder } from './derived-text.ts';

const name = '[A-Za-z_]\\w{0,40}';
const literal = `"[^"\\n]{0,200}"|'[^'\\n]{0,200}'|\`[^\`\\n$]{0,200}\``;
const operand = `(?:\\$?${name}|${literal})`;
const sum = new RegExp(`${operand}(?:\\s{0,20}\\+\\s{0,20}${operand}){1,12}`, 'y');
const inserted = new RegExp(`(?:[$#]?\\{\\s?${name}\\s?\\}|\\$${name}){2,12}`, 'g');
const parts = new RegExp(`${literal}|${name}`, 'g');
const given = new RegExp(`[=:]\\s{0,4}(${literal})`, 'g');

/** Shorter strings are not secrets. */
const shortest = 16;
const longestName = 60;
const longestOperand = 204;

export function addNamedParts(text: string, derived: DerivedTextBuilder): void {
  let values: Map<string, string> | undefined;
  for (const { start, expression } of listExpressions(text)) {
    values ??= readConstants(text);
    if (values.size === 0) return;
    const plain = putTogether(expression, values);
    if (plain === undefined) continue;
    derived.separate();
    derived.put(`"${plain}"`, start, start + expression.length);
  }
}

interface Expression {
  start: number;
  expression: string;
}

function* listExpressions(text: string): Generator<Expression> {
  for (const { 0: expression, index } of text.matchAll(inserted)) yield { start: index, expression };
  for (let plus = text.indexOf('+'); plus !== -1; plus = text.indexOf('+', plus + 1)) {
    // Inside base64 a plus stands between letters far too often.
    if (!isGap(text[plus - 1]) && !isGap(text[plus + 1])) continue;
    const start = operandStart(text, plus);
    sum.lastIndex = start;
    const expression = sum.exec(text)?.[0];
    if (expression === undefined) continue;
    yield { start, expression };
    plus = Math.max(plus, start + expression.length - 1);
  }
}

function isGap(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '"' || char === "'" || char === '`';
}

/** Where the name or the string before a plus begins. */
function operandStart(text: string, plus: number): number {
  let at = plus - 1;
  while (at > 0 && plus - at < 20 && /\s/.test(text[at] ?? '')) at -= 1;
  const last = text[at] ?? '';
  if (/["'`]/.test(last)) return Math.max(0, plus - longestOperand, text.lastIndexOf(last, at - 1));
  while (at > 0 && plus - at < longestName && /[\w$]/.test(text[at - 1] ?? '')) at -= 1;
  return Math.max(0, at);
}

/** Found backwards from the string, by hand: a file can contain thousands. */
function readConstants(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const { 1: value = '', index } of text.matchAll(given)) {
    const word = wordBefore(text, index);
    // A colon may separate a type from the name before it.
    const typed = word.before === ':' ? wordBefore(text, word.start - 1) : word;
    for (const key of [word.text, typed.text]) if (key !== '') values.set(key, value.slice(1, -1));
  }
  return values;
}

function wordBefore(text: string, end: number): { text: string; start: number; before: string } {
  const last = skipBack(text, end, isSpace);
  const first = skipBack(text, last, isWordChar);
  const start = skipBack(text, first, isSpace);
  return { text: text.slice(first, last), start, before: text[start - 1] ?? '' };
}

function skipBack(text: string, end: number, skips: (code: number) => boolean): number {
  let at = end;
  while (at > 0 && end - at < longestName && skips(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isWordChar(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

/** Undefined when a name is unknown, or when there is none. */
function putTogether(expression: string, values: Map<string, string>): string | undefined {
  let plain = '';
  let names = 0;
  for (const [part] of expression.matchAll(parts)) {
    const isName = /^\w/.test(part);
    const value = isName ? values.get(part) : part.slice(1, -1);
    if (value === undefined) return undefined;
    if (isName) names += 1;
    plain += value;
  }
  return names > 0 && plain.length >= shortest ? plain : undefined;
}
