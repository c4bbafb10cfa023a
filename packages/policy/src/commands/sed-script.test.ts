import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findSedFault } from './sed-script.ts';
import { chooseSeed, createRandom } from './testing/random.ts';

test.each([
  '1,50p',
  '$d',
  '/a/,/b/s//x/2g',
  's/[\\/]/x/',
  's|a|b|I;s,c,d,p',
  '/^#/!d',
  '2q5',
  '1~2p;0,/x/d',
  '/a/{s/b/c/;p}',
  '\\%a/b%d',
  'a\\\n  two\\\n  lines',
  '3i text; w is part of it',
  ':a;N;$!ba;s/\\n/ /g',
  'y/abc/xyz/',
  's/a/b\\/w x/',
])('%j does nothing but edit', (script) => expect(findSedFault(script)).toBeUndefined());

test.each([
  '1e id',
  's/a/b/e',
  's/a/b/w x',
  's/a/b/gw x',
  'w x',
  '/a/r x',
  '{W x',
  'p;R x',
  's/a/b',
  'p p',
  'v',
  '',
  's/a/b/;s/c/d/we',
  ':a#;e id',
  'ta#;w x',
])('%j is refused', (script) => expect(findSedFault(script)).toMatchObject({ ok: false, rule: 'sed' }));

const seed = chooseSeed();

test(`what is let through has nothing that sed’s own sandbox would refuse (FETTLE_TEST_SEED=${seed})`, (context) => {
  if (!spawnSync('sed', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU')) context.skip();
  const random = createRandom(seed);
  const pieces = [
    ...'0 1 $ , ; { } ! / \\ \n # p d q s y a i c w r e W R b t : ~ + x n'.split(' '),
    ...[
      '/x/',
      's/a/b/',
      's/a/b/g',
      's,a,b,',
      's/[/]/w x/',
      '\\,x,',
      'y/a/b/',
      'a\\\n',
      'i w x',
      'e id',
      'w x',
      '\n',
      ':l',
      's/a\\/b/c/',
      ';',
      'I',
      'M',
    ],
  ];
  const scripts = Array.from({ length: 30_000 }, () =>
    Array.from({ length: 1 + random.below(7) }, () => random.pick(pieces)).join(''),
  ).filter((script) => findSedFault(script) === undefined);
  expect(scripts.length).toBeGreaterThan(300);
  const refused = scripts.slice(0, 400).filter((script) => {
    const { stderr } = spawnSync('sed', ['--sandbox', '-n', script, '/dev/null'], { encoding: 'utf8' });
    return stderr.includes('sandbox');
  });
  expect(refused).toEqual([]);
});
