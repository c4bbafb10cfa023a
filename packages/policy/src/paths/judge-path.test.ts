import { expect, test } from 'vitest';
import { createPathJudge, judgePath } from './judge-path.ts';

const decide = (judge: ReturnType<typeof createPathJudge>, path: string) => judge(path, 'write').decision;

test('the repository’s protected paths may be read but not changed', () => {
  const judge = createPathJudge({ protectedPaths: ['migrations/**', '*.lock'] });
  expect(judge('migrations/1/up.sql', 'write')).toMatchObject({ decision: 'deny', rule: 'migrations/**' });
  expect(judge('migrations/1/up.sql', 'delete')).toMatchObject({ decision: 'deny' });
  expect(judge('migrations/1/up.sql', 'read')).toEqual({ decision: 'allow' });
  expect(judge('yarn.lock', 'write')).toMatchObject({ decision: 'deny', rule: '*.lock' });
  expect(judge('tools/yarn.lock', 'write')).toMatchObject({ decision: 'deny', rule: '*.lock' });
  expect(judge('src/migrations.ts', 'write')).toEqual({ decision: 'allow' });
});

test.each([
  ['infra/', 'infra/prod.tf', 'docs/infra.md'],
  ['infra', 'tools/infra/a/b.tf', 'infrastructure/a.tf'],
  ['src/rules/', 'src/rules/a/b.ts', 'lib/src/rules/a.ts'],
  ['Straße', 'STRASSE'.replace('SS', 'ß'), 'strasse'],
])('a folder that is protected as %s covers %s, and not %s', (pattern, inside, elsewhere) => {
  const judge = createPathJudge({ protectedPaths: [pattern] });
  expect(judge(inside, 'write')).toMatchObject({ decision: 'deny', rule: pattern });
  expect(judge(elsewhere, 'write')).toEqual({ decision: 'allow' });
});

test('a protected path is found in every spelling', () => {
  const judge = createPathJudge({ protectedPaths: ['infra/prod.tf'] });
  const spellings = [
    ...['Infra/PROD.tf', 'infra//prod.tf', './infra/./prod.tf', 'x/../infra/prod.tf', 'infra\\prod.tf'],
    ...['infra/prod.tf.', 'infra/prod.tf::$DATA', 'ｉnfra/prod.tf', 'infrа/prod.tf', 'infra%2fprod.tf'],
  ];
  for (const path of spellings) expect(judge(path, 'write'), path).toMatchObject({ rule: 'infra/prod.tf' });
});

test('no pattern backtracks', () => {
  const judge = createPathJudge({
    protectedPaths: ['**/*a*/**/*a*/**/*a*/*a*/z', '**/*/**/*/**/*/*/*/*/z', '***/***/***/*a*a*a*a*z'],
  });
  expect(decide(judge, `${'aaaaaaaaaaaaaaaaaaaa/'.repeat(150)}c`)).toBe('allow');
});

test('a guard is changed only where the request names it and the operator agrees, and then it is shown', () => {
  const path = '.github/workflows/ci.yml';
  const allowGuards = ['.github/workflows/**'];
  for (const permissions of [
    { named: [path] },
    { allowGuards },
    { allowGuards, named: ['.github/workflows/other.yml'] },
    { allowGuards: ['AGENTS.md'], named: [path] },
    { allowGuards, named: [path], protectedPaths: ['.github'] },
  ])
    expect(judgePath(path, 'write', permissions).decision).toBe('deny');
  const shown = { decision: 'approve', rule: 'ci' };
  expect(judgePath(path, 'write', { allowGuards, named: [path] })).toMatchObject(shown);
  expect(judgePath(path, 'delete', { allowGuards, named: [`./${path}`] })).toMatchObject(shown);
});

test('an operator cannot open a path that may be neither read nor changed', () => {
  for (const path of ['.env', '.git/config', '.ssh/id_rsa', '../x', 'a.pem'])
    for (const operation of ['read', 'write', 'delete'] as const)
      expect(judgePath(path, operation, { named: [path], allowGuards: ['**'] }).decision).toBe('deny');
});

test('the root may be listed, and is not a file', () => {
  expect(judgePath('.', 'read')).toEqual({ decision: 'allow' });
  expect(judgePath('.', 'write')).toMatchObject({ decision: 'deny' });
  expect(judgePath('src/..', 'delete')).toMatchObject({ decision: 'deny' });
});

test('an invalid path is denied', () => {
  for (const path of ['', 'a\0b', 'a/'.repeat(5_000), `a/${'x'.repeat(256)}`, '\ud800'])
    expect(judgePath(path, 'read')).toMatchObject({ decision: 'deny', rule: 'not-a-path' });
});
