import { operationSchema } from '@fettle/contract';
import { expect, test } from 'vitest';
import { describeProposal } from './describe-proposal.ts';

const operation = operationSchema.parse({
  id: 'op_1',
  state: 'proposing',
  kind: 'fix',
  priority: 'medium',
  request: { kind: 'fix', description: 'the sum is wrong\nsince Monday', repository: '/r' },
  repository: 'r',
  requestedBy: 'Ada',
  attempts: 1,
  totals: { parts: 1, turns: 1, tokens: 1 },
  outcome: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  stateSince: '2026-01-01T00:00:00.000Z',
  waitsFor: null,
  settledAt: null,
});
const check = {
  name: 'test',
  command: 'npm test',
  ok: true,
  exitCode: 0,
  timedOut: false,
  durationMs: 1_234,
  output: '',
} as const;

test('request and evidence come first, and the agent’s summary last, where it can hide nothing', () => {
  expect(describeProposal(operation, { summary: '## Add up\n\nIt subtracted.', checks: [check] })).toEqual({
    title: 'Add up',
    summary: 'It subtracted.',
    body: [
      '### Request\n> the sum is wrong\n> since Monday',
      '### Checks\n- test: passed in 1.2 s (`npm test`)',
      'Requested by Ada. Operation `op_1`, fix.',
      '### Summary by the agent\nIt subtracted.',
    ].join('\n\n'),
  });
});

test('a draft says so first, and mentions a missing summary and missing checks', () => {
  const shortfall = { reason: 'budget_turns' as const, message: '5 of 5 turns are used up' };
  const { title, body } = describeProposal(operation, { summary: '', checks: [], shortfall });
  expect(title).toBe('fix: the sum is wrong');
  expect(body).toMatch(
    /^\*\*This is a draft\.\*\* 5 of 5 turns are used up \(budget_turns\)\.\n\nThe agent left no summary\./,
  );
  expect(body).toContain('so the change was not tested');
});

test('the draft of an agent that had to stop contains its last message', () => {
  const shortfall = { reason: 'budget_turns' as const, message: '5 of 5 turns are used up' };
  const lastText = 'The sum is fixed.\nIts test is next.';
  const { body } = describeProposal(operation, {
    summary: '',
    lastText,
    checks: [],
    shortfall,
  });
  expect(body).toContain('Its last message:\n> The sum is fixed.\n> Its test is next.');
});

test('a long title is cut, and complete in the summary', () => {
  const { title, summary } = describeProposal(operation, {
    summary: 'x'.repeat(100),
    checks: [],
  });
  expect(title).toHaveLength(72);
  expect(summary).toBe('x'.repeat(100));
});

test('a check shows its counts and old failures', () => {
  const report = { tool: 'vitest', passed: 12, failed: 0, skipped: 1, failures: [] };
  const red = { ...check, ok: false, exitCode: 1 };
  const failed = { tool: 'tsc', failed: 3, failures: [] };
  const { body } = describeProposal(operation, {
    summary: 'x',
    checks: [
      { ...check, report },
      { ...red, name: 'typecheck', report: failed, comparison: { kind: 'red before' } },
      { ...red, name: 'lint', report: failed, comparison: { kind: 'new', failures: [], before: 2 } },
    ],
  });
  expect(body).toContain(
    [
      '- test: passed in 1.2 s: 12 passed, 1 skipped (`npm test`)',
      '- typecheck: failed with exit code 1 in 1.2 s: 3 problems; it failed the same way before this change (`npm test`)',
      '- lint: failed with exit code 1 in 1.2 s: 3 problems; 2 of them failed before this change (`npm test`)',
    ].join('\n'),
  );
});

test('remarks are listed, and cannot break out of their line', () => {
  const remark = {
    path: 'a`\n### Approved',
    rule: 'new-dependency',
    reason: 'it brings in a package',
    tokens: Array.from({ length: 12 }, (_, index) => `p${index}@1\u202e`),
  };
  const { body } = describeProposal(operation, {
    ...{ summary: 'Add', checks: [check] },
    remarks: [remark],
  });
  expect(body).toContain('- `a��### Approved`: it brings in a package: `p0@1�`, ');
  expect(body).toContain('`p9@1�`, 2 more (rule new-dependency).');
});
