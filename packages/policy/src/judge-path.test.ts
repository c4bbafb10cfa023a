import { describe, expect, test } from 'vitest';
import { createPathJudge } from './judge-path.ts';
import { pathRules } from './path-rules.ts';

describe.each(pathRules)('rule $pattern', ({ pattern, reason, matches, leaves }) => {
  const judge = createPathJudge([]);
  test.each(matches)('refuses %s', (path) =>
    expect(judge(path)).toEqual({ ok: false, rule: pattern, reason }),
  );
  test.each(leaves)('leaves %s alone', (path) => expect(judge(path)).toEqual({ ok: true }));
});

test('the repository’s protected paths are refused with their pattern', () => {
  const judge = createPathJudge(['migrations/**', '*.lock']);
  expect(judge('migrations/1/up.sql')).toMatchObject({ ok: false, rule: 'migrations/**' });
  expect(judge('yarn.lock')).toMatchObject({ ok: false, rule: '*.lock' });
  expect(judge('tools/yarn.lock')).toMatchObject({ ok: false, rule: '*.lock' });
  expect(judge('src/migrations.ts')).toEqual({ ok: true });
});

test.each([
  ['infra/', 'infra/prod.tf', 'docs/infra.md'],
  ['infra', 'tools/infra/a/b.tf', 'infrastructure/a.tf'],
  ['src/rules/', 'src/rules/a/b.ts', 'lib/src/rules/a.ts'],
])('a folder that is protected as %s covers %s, and not %s', (pattern, inside, outside) => {
  const judge = createPathJudge([pattern]);
  expect(judge(inside)).toMatchObject({ ok: false, rule: pattern });
  expect(judge(outside)).toEqual({ ok: true });
});

test('no pattern takes for ever', () => {
  const judge = createPathJudge([
    '**/*a*/**/*a*/**/*a*/*a*/z',
    '**/*/**/*/**/*/*/*/*/z',
    '***/***/***/*a*a*a*a*z',
  ]);
  expect(judge(`${'aaaaaaaaaaaaaaaaaaaa/'.repeat(150)}c`)).toEqual({ ok: true });
});
