import { expect, test } from 'vitest';
import { plainLines } from './plain-lines.ts';

test.each([
  ['pnpm', 'packages/a test'],
  ['turbo', 'a:test'],
  ['Yarn', '[a]'],
])('the prefix that %s puts before the lines of a package is removed', (_, mark) => {
  const output = ['ok 1 - adds', 'ok 2 - halves', '1..2'].map((line) => `${mark}: ${line}`).join('\n');
  expect(plainLines(output)).toEqual(['ok 1 - adds', 'ok 2 - halves', '1..2']);
});

test('positions and messages are no prefixes', () => {
  for (const line of ['src/a.py:1:1: F401 unused', 'ERROR: no matching package', 'would reformat: a.py'])
    expect(plainLines(`${line}\n${line}\n${line}`)).toEqual([line, line, line]);
});
