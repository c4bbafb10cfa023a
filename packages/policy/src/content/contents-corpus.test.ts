import { expect, test } from 'vitest';
import { judgeFile } from '../judge-file.ts';
import { contentCaseSchema, readCorpus } from '../testing/read-corpus.ts';
import { needsBefore } from './integrity.ts';
import { judgeContent } from './judge-content.ts';

const cases = readCorpus('contents.jsonl', contentCaseSchema);

test.each(cases)('$id $expect $path: $why', ({ path, before, content, expect: decision, rule }) => {
  const [gravest] = judgeFile({ path, before, after: content });
  expect(gravest?.decision ?? 'allow').toBe(decision);
  if (rule !== undefined) expect(gravest?.rule).toBe(rule);
});

test.each(cases)(
  '$id without the previous content, at least the same is reported',
  ({ path, before, content }) => {
    const said = judgeContent({ path, before, after: content });
    if (said.length > 0 && !needsBefore(path)) expect(judgeContent({ path, after: content })).not.toEqual([]);
  },
);

test('a third of the cases is harmless, and ids are unique', () => {
  expect(cases.length).toBeGreaterThanOrEqual(100);
  expect(cases.filter((each) => each.expect === 'allow').length * 3).toBeGreaterThanOrEqual(cases.length);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});
