import { type CheckFailure, type CheckReport, maxFailuresKept } from '@fettle/contract';
import { expect, test } from 'vitest';
import { compareWithBase } from './compare-with-base.ts';

const failing = (name: string, message = 'm'): CheckFailure => ({
  file: 'a.test.ts',
  line: 1,
  name,
  message,
});
const broken = (message: string, line = 1): CheckFailure => ({ file: 'a.ts', line, rule: 'TS1', message });
const run = (failures: CheckFailure[] | undefined, failed = failures?.length ?? 0) => {
  const report: CheckReport | undefined = failures && { tool: 't', passed: 1, failed, failures };
  return { status: 'failed' as const, ...(report && { report }) };
};
const many = Array.from({ length: maxFailuresKept }, (_, index) => failing(`red ${index}`));
const green = { status: 'passed' as const };
const redBefore = { kind: 'red before', fixed: [] };
const notComparable = { kind: 'not comparable' };
const isNew = (failures: CheckFailure[], before = 0) => ({ kind: 'new', failures, before });
const stuck = { status: 'could_not_run' as const };

test.each([
  [
    'a named failure where a file was withheld on both',
    { ...run([failing('a')]), ...stuck },
    { ...run([]), ...stuck },
    { kind: 'new', failures: [failing('a')], before: 0 },
  ],
  [
    'a failing test where there was none',
    run([failing('a')]),
    { ...stuck, obstacle: { code: 'no_tests' as const, message: 'm' } },
    { kind: 'new', failures: [failing('a')], before: 0 },
  ],
  [
    'the same failure where a file was withheld on both',
    { ...run([failing('a')]), ...stuck },
    { ...run([failing('a')]), ...stuck },
    { kind: 'never ran' },
  ],
  [
    'a failed test where only the command failed',
    run([failing('a')]),
    run([], 0),
    { kind: 'new', failures: [failing('a')], before: 0 },
  ],
  ['the same test', run([failing('a', '2 ms')]), run([failing('a', '1 ms')]), redBefore],
  [
    'fewer failures than before',
    run([failing('a')]),
    run([failing('a'), failing('b')]),
    { kind: 'red before', fixed: [failing('b')] },
  ],
  ['the same rule on another line', run([broken('x', 9)]), run([broken('x', 1)]), redBefore],
  ['no report for either', run(undefined), run(undefined), notComparable],
  ['a report only for the change', run([failing('a')]), run(undefined), notComparable],
  ['both fail without a failed test', run([]), run([]), notComparable],
  ['the report of the base was truncated', run([failing('z')], 150), run([failing('a')], 200), notComparable],
  ['one of many is replaced, beyond the list', run(many, 110), run(many, 110), notComparable],
  ['the list of the base is cut', run(many.slice(1)), run(many, 110), notComparable],
  ['all of many are listed', run(many), run(many), redBefore],
  ['the base passed', run([failing('a')]), green, isNew([failing('a')])],
  ['no run on the base', run(undefined), undefined, isNew([])],
  ['another test instead', run([failing('b')]), run([failing('a')]), isNew([failing('b')])],
  [
    'the same name in another file',
    run([{ ...failing('a'), file: 'b.test.ts' }]),
    run([failing('a')]),
    isNew([{ ...failing('a'), file: 'b.test.ts' }]),
  ],
  ['the same rule with another message', run([broken('y')]), run([broken('x')]), isNew([broken('y')])],
  ['one more test', run([failing('a'), failing('b')]), run([failing('a')]), isNew([failing('b')], 1)],
  [
    'the same rule once more',
    run([broken('x', 1), broken('x', 5)]),
    run([broken('x')]),
    isNew([broken('x', 5)], 1),
  ],
  [
    'more failures than the report contains',
    run([failing('a')], 300),
    run([failing('a')], 200),
    isNew([], 1),
  ],
  ['it crashes now', run(undefined), run([failing('a')]), isNew([])],
  ['it finds no tests now', run([]), run([failing('a')]), isNew([])],
  ['it could not run on either', stuck, stuck, { kind: 'never ran' }],
  ['it could not run on the base', run([failing('a')]), stuck, notComparable],
  ['it cannot run now', stuck, run([failing('a')]), isNew([])],
  ['it cannot run now and passed before', stuck, green, isNew([])],
])('%s', (_, now, base, expected) => {
  expect(compareWithBase(now, base)).toEqual(expected);
});
