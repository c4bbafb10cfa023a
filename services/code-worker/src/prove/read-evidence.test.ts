import type { CheckFailure } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { RanCheck } from '../verify/run-checks.ts';
import { readEvidence } from './read-evidence.ts';

const passed: RanCheck = {
  ...{
    name: 'test',
    command: 't',
    status: 'passed',
    exitCode: 0,
    timedOut: false,
    durationMs: 1,
    output: '',
  },
  report: { tool: 't', passed: 3, failed: 0, failures: [] },
  passes: ['adds', 'halves', 'doubles'],
};
const failed = (...failures: CheckFailure[]): RanCheck => ({
  ...passed,
  ...{ status: 'failed', exitCode: 1, passes: [] },
  report: { tool: 't', passed: 1, failed: failures.length, failures },
});
const failure = (name?: string, message = 'm'): CheckFailure => ({
  file: 'a.test.ts',
  ...(name && { name }),
  message,
});
const paths = ['a.test.ts', 'b.test.ts', 'test/data.json'];

test('a test that fails before and passes after shows the fault; other tests of the change pass on both', () => {
  expect(readEvidence({ before: failed(failure('adds')), after: passed, paths })).toEqual({
    status: 'shown',
    failsBefore: [{ file: 'a.test.ts', name: 'adds' }],
    passesBefore: [{ file: 'b.test.ts' }],
    cannotLoad: [],
  });
});

test('a test that does not run any more is not fixed', () => {
  const before = failed(failure('adds'));
  const report = { tool: 't', passed: 1, failed: 0, skipped: 1, failures: [] };
  expect(readEvidence({ before, after: { ...passed, report }, paths })).toMatchObject({
    ...{ status: 'none', failsBefore: [] },
  });
  const { report: _none, ...silent } = passed;
  expect(readEvidence({ before, after: silent, paths })).toMatchObject({ status: 'none', failsBefore: [] });
});

test('a test that another replaces is not fixed', () => {
  const after = { ...passed, passes: ['nothing', 'halves', 'doubles'] };
  expect(readEvidence({ before: failed(failure('adds')), after, paths })).toMatchObject({
    ...{ status: 'none', failsBefore: [] },
  });
});

test('a test of the same name that passes on both does not count', () => {
  const before = { ...failed(failure('adds')), passes: ['adds'] };
  expect(readEvidence({ before, after: passed, paths }).failsBefore).toEqual([]);
});

test('without the names of passed tests, the evidence says so', () => {
  const { passes: _, ...after } = passed;
  expect(readEvidence({ before: failed(failure('adds')), after, paths })).toMatchObject({
    status: 'weak',
    message:
      'These tests fail before the change: a.test.ts adds. The output does not name the tests that pass after it.',
    failsBefore: [],
  });
});

test('of a part of the tests, the names decide and not the numbers', () => {
  const before = { ...failed(failure('adds')), command: 't a.test.ts' };
  const skipped = { ...passed, passes: ['halves', 'doubles', 'more'] };
  expect(readEvidence({ before, after: passed, paths }).status).toBe('shown');
  expect(readEvidence({ before, after: skipped, paths }).status).toBe('none');
});

test('a test that fails on both shows nothing', () => {
  const both = failed(failure('adds'));
  expect(readEvidence({ before: both, after: both, paths: ['a.test.ts'] })).toMatchObject({
    ...{ status: 'none', failsBefore: [], passesBefore: [], cannotLoad: [] },
  });
});

test('a claim to fail before is checked', () => {
  expect(readEvidence({ before: passed, after: passed, paths: ['a.test.ts'] })).toMatchObject({
    status: 'none',
    passesBefore: [{ file: 'a.test.ts' }],
  });
});

test('a file that cannot be loaded is weak evidence', () => {
  const message = "SyntaxError: './a.ts' does not provide an export named 'b'";
  const before = failed(failure(undefined, `${message}\nat x`));
  expect(readEvidence({ before, after: passed, paths: ['a.test.ts'] })).toMatchObject({
    ...{ status: 'weak', failsBefore: [], cannotLoad: [{ file: 'a.test.ts', message }] },
  });
});

test.each([
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/helper.mjs' imported from /w/a.test.mjs",
  "Error: ENOENT: no such file or directory, open 'fixtures/x.json'",
  "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
  "ModuleNotFoundError: No module named 'helper'",
])('a test that lacks a file of the change is weak evidence: %s', (message) => {
  const before = failed(failure('adds', message));
  expect(readEvidence({ before, after: passed, paths: ['a.test.ts'] })).toMatchObject({
    ...{ status: 'weak', failsBefore: [], cannotLoad: [{ file: 'a.test.ts', message }] },
  });
});

test('a run that cannot be read is no evidence', () => {
  const before: RanCheck = { ...passed, status: 'failed', exitCode: 1 };
  expect(readEvidence({ before, after: passed, paths }).status).toBe('could_not_run');
  expect(readEvidence({ before: undefined, after: passed, paths }).status).toBe('could_not_run');
});

test('a command that reports no tests shows nothing about the tests of the change', () => {
  const { report: _none, ...silent } = passed;
  expect(readEvidence({ before: silent, after: silent, paths })).toMatchObject({ passesBefore: [] });
});
