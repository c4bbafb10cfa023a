import { expect, it } from 'vitest';
import { compileName } from './name-pattern.ts';

it.each([
  ['*', ['', 'a', 'a\nb', '-a'], []],
  ['?', ['a', 'ü', '💡'], ['', 'ab']],
  ['a*b*c', ['abc', 'axxbxxc', 'abcbc'], ['ab', 'acb']],
  ['[abc]', ['a', 'c'], ['d', '']],
  ['[!a-c]', ['d'], ['a', 'b']],
  ['[^a-c]', ['d'], ['a', 'b']],
  ['[]a]', [']', 'a'], ['b']],
  ['[!]a]', ['b'], [']', 'a']],
  ['[a-]', ['a', '-'], ['b']],
  ['[\\]a]', [']', 'a'], ['\\']],
  ['[a\\-c]', ['a', '-', 'c'], ['b']],
  ['[[:digit:]a]', ['7', 'a'], ['b', ':']],
  ['[![:upper:]]', ['a', 'ü'], ['A', 'Ü']],
  ['[[:nonsense:]]', [':]', 'n]'], ['a']],
  ['[a', ['[a'], ['a']],
  ['\\*\\?', ['*?'], ['ab']],
  ['a\\', ['a\\'], ['a']],
])('%s', (pattern, matching, others) => {
  expect([...matching, ...others].filter(compileName(pattern))).toEqual(matching);
});

it('is not slowed down by a pattern that provokes backtracking', () => {
  expect(compileName(`${'*[ab]'.repeat(200)}c`)('ab'.repeat(1000))).toBe(false);
});
