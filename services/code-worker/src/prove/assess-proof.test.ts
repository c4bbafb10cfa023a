import type { CheckFailure, CheckName, Kind } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { JudgedCheck } from '../verify/base-checks.ts';
import { assessProof } from './assess-proof.ts';

const old: CheckFailure = { file: 'a.test.ts', name: 'old', message: 'm' };
const check = (name: CheckName, more: Partial<JudgedCheck> = {}): JudgedCheck => ({
  ...{ name, command: name, status: 'passed', exitCode: 0, timedOut: false, durationMs: 1, output: '' },
  ...more,
});
const report = { tool: 't', passed: 5, failed: 1, failures: [old] };
const green = check('test', { report: { ...report, failed: 0, failures: [] } });
const red = (fixed: CheckFailure[] = []) =>
  check('test', { status: 'failed', report, comparison: { kind: 'red before', fixed } });
const stuck = (name: CheckName, kind: 'never ran' | 'new' = 'never ran') =>
  check(name, {
    status: 'could_not_run',
    obstacle: { code: 'missing_program', message: 'xo is not installed.' },
    comparison: kind === 'new' ? { kind, failures: [], before: 0 } : { kind },
  });
const broken = check('test', { status: 'failed', comparison: { kind: 'new', failures: [old], before: 0 } });
const nothing = { failsBefore: [], passesBefore: [], cannotLoad: [] };
const shown = { status: 'shown' as const, ...nothing, failsBefore: [{ name: 'a' }] };

test.each<
  [
    string,
    { kind?: Kind; checks: JudgedCheck[]; doubts?: string[]; altered?: string[]; fault?: typeof shown },
    string,
    string?,
  ]
>([
  ['every check passes', { checks: [check('lint'), green] }, 'proven'],
  ['how many tests ran is not known', { checks: [check('lint'), check('test')] }, 'partly proven'],
  ['an exit code that hides a failed test', { checks: [check('test', { report })] }, 'partly proven'],
  [
    'the red test was edited, and nothing shows the fault',
    { checks: [green], altered: ['old'] },
    'partly proven',
    'verification_failed',
  ],
  [
    'the red test was edited, and another shows the fault',
    { checks: [green], altered: ['old'], fault: shown },
    'partly proven',
  ],
  ['no tests among the checks', { checks: [check('lint')] }, 'partly proven'],
  ['a check could not run', { checks: [stuck('lint'), check('test')] }, 'partly proven'],
  ['a doubt', { checks: [check('test')], doubts: ['x'] }, 'partly proven'],
  ['no checks', { checks: [] }, 'unproven', 'unproven'],
  ['nothing could run', { checks: [stuck('test')] }, 'unproven', 'unproven'],
  [
    'it runs on the base only',
    { checks: [check('lint'), stuck('test', 'new')] },
    'partly proven',
    'verification_failed',
  ],
  ['a new failure', { checks: [check('lint'), broken] }, 'unproven', 'verification_failed'],
  ['red as before', { kind: 'implement', checks: [red()] }, 'partly proven'],
  ['a fix that fixes nothing', { checks: [red()] }, 'partly proven', 'verification_failed'],
  ['a fix of one of the failures', { checks: [red([old])] }, 'partly proven'],
  ['a fix that its own test shows', { checks: [red()], fault: shown }, 'partly proven'],
])('%s', (_, { kind = 'fix', checks, doubts = [], altered = [], fault }, status, reason) => {
  const proof = assessProof({ kind, checks, doubts, altered, fault });
  expect([proof.status, proof.shortfall?.reason]).toEqual([status, reason]);
});
