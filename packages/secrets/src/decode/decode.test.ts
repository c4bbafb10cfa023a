import { describe, expect, test } from 'vitest';
import { decode } from './decode.ts';
import { createDerivedText } from './derived-text.ts';
import { toOneByte } from './one-byte.ts';
import { readings } from './readings.ts';

describe.each(readings)('$name', ({ examples }) => {
  test.each(examples)('%j reads %j', (written, read) => {
    expect(decode(`x = ${written};`)?.text).toContain(`x = ${read};`);
  });
});

test.each([
  ['base64', Buffer.from('hello, this is text').toString('base64')],
  ['base64 of two bytes a character', Buffer.from('hello, this is text', 'utf16le').toString('base64')],
  ['hexadecimal', Buffer.from('hello, this is text').toString('hex')],
  ['codes', [...Buffer.from('hello, this is text')].join(', ')],
])('%s is read, with the name before it', (_, encoded) => {
  const text = `one\nname = "${encoded}"`;
  const derived = decode(text);
  const at = derived?.text.indexOf('hello, this is text') ?? -1;
  expect(derived?.text).toContain('name = "hello, this is text');
  const place = derived?.locate(at + 3, at + 8) ?? { start: 0, end: 0 };
  expect(text.slice(place.start, place.end)).toBe(encoded);
});

test.each([
  ['a sum', 'const a = "abcdefgh";\nconst b = "ijklmnopq";\nsend(a + b);'],
  ['a sum with a string', "a = 'abcdefgh'\nsend(a + 'ijklmnopq')"],
  ['a template', 'const a = "abcdefgh", b = "ijklmnopq";\nsend(`$_{a}$_{b}`);'.replaceAll('_', '')],
  ['a formatted string', "a = 'abcdefgh'\nb = 'ijklmnopq'\nsend(f'{a}{b}')"],
  ['variables of a shell', 'a="abcdefgh"\nb="ijklmnopq"\nsend $a$b'],
])('names are put together in %s', (_, text) => {
  expect(decode(text)?.text).toContain('"abcdefghijklmnopq"');
});

test('a sum with an unknown name is left alone', () => {
  expect(decode('const a = "abcdefghijklmnop";\nsend(a + b);')).toBeUndefined();
});

test('binary content is not decoded', () => {
  expect(decode(`sha256:${'9f86d081884c7d659a2feaa0c55ad015'.repeat(2)}`)).toBeUndefined();
  expect(decode('import { something } from "somewhere/else/in/this/repository";')).toBeUndefined();
});

test('two-byte characters are replaced unless a reading needs them', () => {
  expect(toOneByte('a ’quoted“ text…')).toBe('a ·quoted· text·');
  expect(toOneByte('a \u{1f600} b')).toHaveLength('a \u{1f600} b'.length);
  for (const kept of ['plain ä', 'a\u200bb', 'ｇｈ', 'gh\u0440_', 'a\u{e0061}'])
    expect(toOneByte(kept)).toBe(kept);
});

test('positions are mapped back across splits', () => {
  const original = 'k = "abc" + "def"';
  const derived = createDerivedText(original);
  derived.keep(0, 8);
  derived.put('', 8, 13);
  derived.keep(13, 17);
  const { text, locate } = derived.build() ?? { text: '', locate: () => ({ start: 0, end: 0 }) };
  expect(text).toBe('k = "abcdef"');
  expect(locate(5, 11)).toEqual({ start: 5, end: 16 });
  expect(locate(5, 8)).toEqual({ start: 5, end: 8 });
  expect(locate(8, 11)).toEqual({ start: 13, end: 16 });
});
