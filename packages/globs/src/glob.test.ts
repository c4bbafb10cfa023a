import { expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

it.each([
  ['*.ts', ['a.ts', 'src/deep/b.ts', '.hidden.ts'], ['a.tsx', 'ts']],
  ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts', 'src/.x/a.ts'], ['lib/a.ts']],
  ['**/test/**', ['test/a', 'a/test/b/c'], ['atest/b']],
  ['**', ['a', 'a/b/.c'], []],
  ['./src/a?.{ts,js}', ['src/ab.ts', 'src/ab.js', 'src/aü.ts'], ['src/a.ts', 'src/ab.css']],
  ['[a-c]*.m[!d]', ['apple.mx', 'src/c.m1'], ['d.mx', 'a.md']],
  ['{a,b{c,d}}.txt', ['a.txt', 'bc.txt', 'bd.txt'], ['b.txt']],
  ['a\\*b', ['a*b'], ['axb']],
  ['.github/**/*.yml', ['.github/workflows/ci.yml'], ['github/ci.yml']],
])('%s', (glob, matching, others) => {
  const matches = compileGlob(glob);
  expect([...matching, ...others].filter(matches)).toEqual(matching);
});

it('is not slowed down by a pattern that provokes backtracking', () => {
  const matches = compileGlob(`${'*a'.repeat(200)}b`);
  expect(matches('a'.repeat(2000))).toBe(false);
});

it('rejects an invalid glob', () => {
  for (const glob of ['', '!a', '{a,b}'.repeat(10)]) {
    expect(() => compileGlob(glob)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_GLOB' }));
  }
});
