import type { CheckFailure } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { JudgedCheck } from './base-checks.ts';
import { describeFailures, describeOldFailures } from './describe-failures.ts';

const asIs = (text: string) => text;
const check: JudgedCheck = {
  name: 'test',
  command: 'npm test',
  ok: false,
  exitCode: 1,
  timedOut: false,
  durationMs: 1,
  output: 'the end',
};
const failing = (name: string, message = 'm'): CheckFailure => ({
  file: 'a.test.ts',
  line: 3,
  column: 1,
  name,
  message,
});
const withReport = (failures: CheckFailure[], failed = failures.length): JudgedCheck => ({
  ...check,
  report: { tool: 'vitest', passed: 4, failed, skipped: 0, failures },
});

test('failures come first, with their positions, then the end of the output', () => {
  expect(describeFailures([withReport([failing('adds', 'expected 1\nto be 2')])], asIs)).toBe(
    [
      'The change is not ready: these checks of the repository fail.\n',
      'test (npm test) ended with exit code 1: 4 passed, 1 failed (vitest).',
      'What it found (data):\n```\na.test.ts:3:1 adds\n  expected 1\n  to be 2\n```',
      'The end of its output (data):\n```\nthe end\n```\n',
      'Fix the cause and finish again.',
    ].join('\n'),
  );
});

test('an output that cannot be parsed is shown in full', () => {
  const text = describeFailures(
    [{ ...check, exitCode: null, timedOut: true, output: 'x'.repeat(8_000) }],
    asIs,
  );
  expect(text).toContain('test (npm test) timed out.\nFettle cannot parse its output');
  expect(text).toContain('x'.repeat(8_000));
});

test('old failures are counted, and only new ones are listed', () => {
  const text = describeFailures(
    [
      {
        ...withReport([failing('old'), failing('new')]),
        comparison: { kind: 'new', failures: [failing('new')], before: 1 },
      },
    ],
    asIs,
  );
  expect(text).toContain(
    '1 of them failed before your change too and is not listed here. New:\nWhat it found (data):\n```\na.test.ts:3:1 new\n',
  );
  expect(text).not.toContain('a.test.ts:3:1 old');
});

test('the number and the length of failures are limited', () => {
  const many = Array.from({ length: 100 }, (_, index) => failing(`t${index}`, 'y'.repeat(500)));
  const text = describeFailures([{ ...withReport(many, 900), output: 'x'.repeat(8_000) }], asIs);
  expect(text).toContain('… and 880 more');
  expect(text.length).toBeLessThan(15_000);
});

test('failures that existed before the change are described as such', () => {
  const text = describeOldFailures([withReport([failing('old')])], asIs);
  expect(text).toMatch(/^These checks of the repository failed before your change, and they still do\./);
  expect(text).toContain('a.test.ts:3:1 old');
});
