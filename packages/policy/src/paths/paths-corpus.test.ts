import { expect, test } from 'vitest';
import { pathCaseSchema, readCorpus } from '../testing/read-corpus.ts';
import { judgePath } from './judge-path.ts';

const cases = readCorpus('paths.jsonl', pathCaseSchema);

test.each(cases)('$id $expect $op $path: $why', ({ path, op, expect: decision, rule }) => {
  expect(judgePath(path, op)).toMatchObject({ decision, ...(rule !== undefined && { rule }) });
});

test('a third of the cases is harmless, and ids are unique', () => {
  expect(cases.length).toBeGreaterThanOrEqual(100);
  expect(cases.filter((each) => each.expect === 'allow').length * 3).toBeGreaterThanOrEqual(cases.length);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});
