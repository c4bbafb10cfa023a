import type { CheckFailure } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { JudgedCheck } from './base-checks.ts';
import { describeFailures, describeRedBefore } from './describe-failures.ts';

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

test('what failed comes first, with its place; then the end of the output', () => {
  expect(describeFailures([withReport([failing('adds', 'expected 1\nto be 2')])], asIs)).toBe(
    [
      'The change is not ready: these checks of the repository fail.\n',
      'test (npm test) ended with exit code 1: 4 passed, 1 failed (vitest).',
      'What it found (data):\n```\na.test.ts:3:1 adds\n  expected 1\n  to be 2\n```',
      'The end of its output (data):\n```\nthe end\n```\n',
      'Mend the cause and finish again.',
    ].join('\n'),
  );
});

test('where nothing was recognised, that is said, with all of the end', () => {
  const told = describeFailures(
    [{ ...check, exitCode: null, timedOut: true, output: 'x'.repeat(8_000) }],
    asIs,
  );
  expect(told).toContain('test (npm test) ran into its time limit.\nIts output is none that Fettle can read');
  expect(told).toContain('x'.repeat(8_000));
});

test('what was there before is counted, and only what is new is told', () => {
  const told = describeFailures(
    [
      {
        ...withReport([failing('old'), failing('new')]),
        comparison: { kind: 'new', failures: [failing('new')], before: 1 },
      },
    ],
    asIs,
  );
  expect(told).toContain(
    '1 of them failed before your change too and is not told here. New:\nWhat it found (data):\n```\na.test.ts:3:1 new\n',
  );
  expect(told).not.toContain('a.test.ts:3:1 old');
});

test('it is bounded in number and length', () => {
  const many = Array.from({ length: 100 }, (_, index) => failing(`t${index}`, 'y'.repeat(500)));
  const told = describeFailures([{ ...withReport(many, 900), output: 'x'.repeat(8_000) }], asIs);
  expect(told).toContain('… and 880 more');
  expect(told.length).toBeLessThan(15_000);
});

test('what was red before is told as that', () => {
  const told = describeRedBefore([withReport([failing('old')])], asIs);
  expect(told).toMatch(/^These checks of the repository failed before your change, and they still do\./);
  expect(told).toContain('a.test.ts:3:1 old');
});
