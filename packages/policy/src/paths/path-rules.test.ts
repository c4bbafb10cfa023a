/** Checks every rule against its own examples, and every pattern against hostile names. */
import { describe, expect, test } from 'vitest';
import { createPathJudge } from './judge-path.ts';
import { splitWords } from './path-rule.ts';
import { pathRules } from './path-rules.ts';

const judge = createPathJudge();

describe.each(pathRules)('rule $rule', ({ rule, reason, instead, forbids, matches, leaves }) => {
  const decision = forbids === 'shown' ? 'approve' : 'deny';
  test.each(matches)('objects to writing %j', (path) =>
    expect(judge(path, 'write')).toEqual({ decision, rule, reason, instead }),
  );
  test.each(matches)('on reading %j', (path) =>
    expect(judge(path, 'read').decision).toBe(forbids === 'all' ? 'deny' : 'allow'),
  );
  test.each(leaves)('leaves %j alone', (path) => expect(judge(path, 'write')).toEqual({ decision: 'allow' }));
});

test('names are unique and already folded', () => {
  const names = pathRules.flatMap((each) => splitWords(each.names));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const written = [...names, ...pathRules.flatMap((each) => splitWords(each.paths))];
  expect(written.filter((name) => name !== name.toLowerCase())).toEqual([]);
  expect(new Set(pathRules.map(({ rule }) => rule)).size).toBe(pathRules.length);
});

const patterns = pathRules.flatMap(({ rule, like, unlike, written }) =>
  [like, unlike, written].flatMap((pattern) => (pattern ? [{ rule, pattern }] : [])),
);
const unit = [
  'a',
  '.',
  '-',
  '_',
  '.env',
  '.env.',
  'service-account',
  'credentials.',
  '_rsa',
  '.semgrep.',
  ' .',
];

test.each(patterns)('a pattern of $rule is fast on long names', ({ pattern }) => {
  for (const each of unit) {
    const long = each.repeat(Math.ceil(100_000 / each.length));
    const startedAt = performance.now();
    pattern.test(`${long}!`);
    // Far above what it needs, and far below what a backtracking pattern would take.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
});
