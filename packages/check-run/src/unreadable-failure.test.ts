import type { CheckResult } from '@fettle/contract';
import { expect, test } from 'vitest';
import { excuseUnreadable } from './unreadable-failure.ts';

const named = { tool: 'eslint', failed: 1, failures: [{ message: 'unused variable', rule: 'no-unused' }] };

test.each([
  ['failed', undefined, 'could_not_run'],
  ['failed', { tool: 'eslint', failed: 3, failures: [] }, 'could_not_run'],
  ['failed', named, 'failed'],
  ['passed', undefined, 'passed'],
] as const)('a check that %s with the report %j counts as %s', (status, report, expected) => {
  const check: Pick<CheckResult, 'status' | 'obstacle'> = { status };
  const result = excuseUnreadable(check, report && { ...report, failures: [...report.failures] });
  expect(result.status).toBe(expected);
  expect(result.obstacle?.code).toBe(expected === 'could_not_run' ? 'base_not_read' : undefined);
});
