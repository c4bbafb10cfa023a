import { expect, test } from 'vitest';
import { describeFailedSetup, excuseSetup } from './setup-outcome.ts';

const surroundings = { withheld: [], problems: ['node 99 could not be provided'] };
const failedRun = (output: string) => ({
  command: 'npm ci',
  result: {
    ...{ exitCode: 1, signal: null, timedOut: false, durationMs: 1, programMs: 1, output, omittedBytes: 0 },
    ...{ outOfMemory: false, cancelled: false },
  },
});

test('a failed set-up is described with what the tools lack', () => {
  expect(describeFailedSetup(failedRun('npm error 404 Not Found'), surroundings)).toEqual({
    ...{ status: 'failed', command: 'npm ci' },
    reason: 'npm error 404 Not Found; node 99 could not be provided',
  });
});

test('a set-up whose registry is missing could not run, and names it', () => {
  const output = 'error Error: getaddrinfo ENOTFOUND npm.example.org';
  expect(describeFailedSetup(failedRun(output), { withheld: [], problems: [] })).toMatchObject({
    status: 'could_not_run',
    reason: expect.stringContaining('It needs packages from npm.example.org'),
  });
});

const lack = { status: 'failed', command: 'npm ci', reason: 'npm error' } as const;
const why = 'Set-up failed, so what it needs is missing: npm error';

test('a check that needs what set-up did not provide could not run', () => {
  expect(excuseSetup({ status: 'failed' }, lack, undefined)).toEqual({
    status: 'could_not_run',
    obstacle: { code: 'setup_failed', message: why },
  });
  const obstacle = { code: 'missing_program', message: '`xo` is not installed.' } as const;
  expect(excuseSetup({ status: 'could_not_run', obstacle }, lack, undefined).obstacle).toEqual({
    ...{ code: 'missing_program', message: `\`xo\` is not installed. ${why}` },
  });
});

test('a check that passed, or a part of whose tests passed, is judged by itself', () => {
  expect(excuseSetup({ status: 'passed' }, lack, undefined)).toEqual({ status: 'passed' });
  expect(excuseSetup({ status: 'failed' }, lack, 3)).toEqual({ status: 'failed' });
  expect(excuseSetup({ status: 'failed' }, undefined, 0)).toEqual({ status: 'failed' });
});
