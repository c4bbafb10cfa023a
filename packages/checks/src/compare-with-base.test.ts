import type { CheckFailure, CheckReport } from '@fettle/contract';
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
  return { ok: false, timedOut: false, ...(report && { report }) };
};
const green = { ok: true, timedOut: false };
const redBefore = { kind: 'red before' };

test.each([
  ['the same test', run([failing('a', '2 ms')]), run([failing('a', '1 ms')]), redBefore],
  ['fewer failures than before', run([failing('a')]), run([failing('a'), failing('b')]), redBefore],
  ['the same rule on another line', run([broken('x', 9)]), run([broken('x', 1)]), redBefore],
  ['no report for either', run(undefined), run(undefined), redBefore],
  ['a report only for the change', run([failing('a')]), run(undefined), redBefore],
  ['both fail without a failed test', run([]), run([]), redBefore],
  ['the report of the base was truncated', run([failing('z')], 150), run([failing('a')], 200), redBefore],
  ['the base passed', run([failing('a')]), green, { kind: 'new', failures: [failing('a')], before: 0 }],
  ['no run on the base', run(undefined), undefined, { kind: 'new', failures: [], before: 0 }],
  [
    'another test instead',
    run([failing('b')]),
    run([failing('a')]),
    { kind: 'new', failures: [failing('b')], before: 0 },
  ],
  [
    'the same name in another file',
    run([{ ...failing('a'), file: 'b.test.ts' }]),
    run([failing('a')]),
    { kind: 'new', failures: [{ ...failing('a'), file: 'b.test.ts' }], before: 0 },
  ],
  [
    'the same rule with another message',
    run([broken('y')]),
    run([broken('x')]),
    { kind: 'new', failures: [broken('y')], before: 0 },
  ],
  [
    'one more test',
    run([failing('a'), failing('b')]),
    run([failing('a')]),
    { kind: 'new', failures: [failing('b')], before: 1 },
  ],
  [
    'the same rule once more',
    run([broken('x', 1), broken('x', 5)]),
    run([broken('x')]),
    { kind: 'new', failures: [broken('x', 5)], before: 1 },
  ],
  [
    'more failures than the report contains',
    run([failing('a')], 300),
    run([failing('a')], 200),
    { kind: 'new', failures: [], before: 1 },
  ],
  ['it crashes now', run(undefined), run([failing('a')]), { kind: 'new', failures: [], before: 0 }],
  ['it finds no tests now', run([]), run([failing('a')]), { kind: 'new', failures: [], before: 0 }],
  [
    'it does not end now',
    { ...run(undefined), timedOut: true },
    run(undefined),
    { kind: 'new', failures: [], before: 0 },
  ],
])('%s', (_, now, base, expected) => {
  expect(compareWithBase(now, base)).toEqual(expected);
});
