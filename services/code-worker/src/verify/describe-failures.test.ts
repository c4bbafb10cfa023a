import type { CheckFailure } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { JudgedCheck } from './base-checks.ts';
import { askForTest, describeFailures } from './describe-failures.ts';

const asIs = (text: string) => text;
const check: JudgedCheck = {
  ...{ name: 'test', command: 'npm test', status: 'failed', exitCode: 1, timedOut: false, durationMs: 1 },
  output: 'the end',
};
const failing = (name: string, message = 'm'): CheckFailure => ({
  ...{ file: 'a.test.ts', line: 3, column: 1, name, message },
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
  const obstacle = { code: 'timeout', message: 'It did not finish within 300 s.' } as const;
  const stuck: JudgedCheck = { ...check, status: 'could_not_run', obstacle, output: 'x'.repeat(8_000) };
  const text = describeFailures([stuck], asIs);
  expect(text).toContain(
    'it runs on the base commit: It did not finish within 300 s.\nFettle cannot parse its output',
  );
  expect(text).toContain('x'.repeat(8_000));
});

test('old failures are counted, and only new ones are listed', () => {
  const comparison = { kind: 'new' as const, failures: [failing('new')], before: 1 };
  const text = describeFailures([{ ...withReport([failing('old'), failing('new')]), comparison }], asIs);
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

test('the agent is asked for a test, with the tests that do not show the fault', () => {
  const passesBefore = [{ file: 'a.test.ts' }];
  const fault = { status: 'none' as const, failsBefore: [], cannotLoad: [], passesBefore };
  expect(askForTest(fault)).toContain('pass without it, too (data):\n```\n- a.test.ts\n```');
  expect(askForTest({ ...fault, passesBefore: [] })).toContain('no test that fails without it');
});
