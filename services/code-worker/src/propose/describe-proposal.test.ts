import { operationSchema } from '@fettle/contract';
import { expect, test } from 'vitest';
import type { Proof } from '../prove/assess-proof.ts';
import type { JudgedCheck } from '../verify/base-checks.ts';
import { describeProposal } from './describe-proposal.ts';

const operation = operationSchema.parse({
  ...{ id: 'op_1', state: 'proposing', kind: 'fix', priority: 'medium', repository: 'r', requestedBy: 'Ada' },
  request: { kind: 'fix', description: 'the sum is wrong\nsince Monday', repository: '/r' },
  ...{ attempts: 1, totals: { parts: 1, turns: 1, tokens: 1 }, outcome: null, waitsFor: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', stateSince: '2026-01-01T00:00:00.000Z', settledAt: null },
});
const check: JudgedCheck = {
  ...{ name: 'test', command: 'npm test', status: 'passed', exitCode: 0 },
  ...{ timedOut: false, durationMs: 1_234, output: '' },
};
const outOfTurns = { reason: 'budget_turns' as const, message: '5 of 5 turns are used up' };

const proof: Proof = {
  status: 'proven',
  evidence: {
    passed: [
      { name: 'test', command: 'npm test', durationMs: 1_234, tests: { passed: 3, failed: 0, skipped: 0 } },
    ],
    ...{ redBefore: [], failed: [], couldNotRun: [], doubts: [] },
    fault: {
      status: 'shown',
      failsBefore: [{ file: 'a.test.ts', name: 'adds <b>`' }],
      ...{ passesBefore: [], cannotLoad: [] },
    },
  },
};

test('the explanation comes first and hides nothing, then the evidence and the proof, and the request last', () => {
  const summary = '## Add up\n\nIt subtracted. <!-- Fixes #1 for @ada';
  expect(describeProposal(operation, { summary, checks: [check], proof })).toEqual({
    title: 'Add up',
    subject: 'Add up',
    summary: 'It subtracted. <!-- Fixes #\u200b1 for @\u200bada',
    body: [
      'It subtracted. <\u200b!-- Fixes #\u200b1 for @\u200bada',
      "### Evidence\n**Fails before, passes after:**\n- `a.test.ts` `adds <b>'`",
      '### Proof: ✓ proven',
      'Passed in a fresh sandbox:\n- test in 1.2 s: 3 passed (`npm test`)',
      'Requested by Ada. Operation `op_1`, fix.',
      '<details><summary>Request</summary>\n\n> the sum is wrong\n> since Monday\n\n</details>',
    ].join('\n\n'),
  });
});

test('what could not run, what was red before and what raises doubts is listed', () => {
  const failures = [{ file: 'b.test.ts', name: 'old', message: 'm' }];
  const obstacle = { code: 'missing_program' as const, message: 'xo is not installed.' };
  const { body } = describeProposal(operation, {
    ...{ summary: 'x', checks: [] },
    proof: {
      status: 'partly proven',
      evidence: {
        ...{ passed: [], failed: [] },
        redBefore: [{ name: 'test', command: 'npm test', durationMs: 1_000, failures }],
        couldNotRun: [{ name: 'lint', command: 'npx xo', obstacle }],
        doubts: ['The change edits package.json, which decides how checks run.'],
      },
    },
  });
  expect(body).toContain(
    [
      '### Proof: partly proven',
      'Red as before the change, with the same failures:\n- test in 1.0 s (`npm test`)\n  - `b.test.ts` `old`',
      'Could not run:\n- lint: xo is not installed. (`npx xo`)',
      'This proves less than it seems to:\n- The change edits package.json, which decides how checks run.',
    ].join('\n\n'),
  );
});

test('a draft says so, and mentions a missing summary and missing checks', () => {
  const draft = { summary: '', checks: [], shortfall: outOfTurns };
  const { title, body } = describeProposal(operation, draft);
  expect(title).toBe('fix: the sum is wrong');
  expect(body).toMatch(
    /^The agent left no summary\.\n\n\*\*This is a draft\.\*\* 5 of 5 turns are used up \(budget_turns\)\./,
  );
  expect(body).toContain('### Checks in the agent’s sandbox, which prove nothing\nNone.');
});

test('the draft of an agent that had to stop contains its last message', () => {
  const lastText = 'The sum is fixed.\nIts test is next.';
  const draft = { summary: '', lastText, checks: [], shortfall: outOfTurns };
  const { body } = describeProposal(operation, draft);
  expect(body).toContain('Its last message:\n> The sum is fixed.\n> Its test is next.');
});

test('a long title is cut, and complete in the summary', () => {
  const { title, summary } = describeProposal(operation, { summary: 'x'.repeat(100), checks: [] });
  expect(title).toHaveLength(72);
  expect(summary).toBe('x'.repeat(100));
});

test('a check shows its counts and old failures', () => {
  const report = { tool: 'vitest', passed: 12, failed: 0, skipped: 1, failures: [] };
  const red = { ...check, status: 'failed' as const, exitCode: 1 };
  const failed = { tool: 'tsc', failed: 3, failures: [] };
  const { body } = describeProposal(operation, {
    summary: 'x',
    checks: [
      { ...check, report },
      { ...red, name: 'typecheck', report: failed, comparison: { kind: 'red before', fixed: [] } },
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
  const { body } = describeProposal(operation, { summary: 'Add', checks: [check], remarks: [remark] });
  expect(body).toContain('- `a��### Approved`: it brings in a package: `p0@1�`, ');
  expect(body).toContain('`p9@1�`, 2 more (rule new-dependency).');
});

test.each([
  '\u200b✓ Add up',
  '🗸 Add up',
  '\u2060\u{1f5f9}\ufe0f ✔️ Add up',
  ':white_check_mark: Add up',
  '√ Add up',
  '&#10003; Add up',
])('the agent cannot set the mark: %s', (summary) => {
  expect(describeProposal(operation, { summary, checks: [] }).title).toBe('Add up');
});

test('a title of marks only is replaced', () => {
  expect(describeProposal(operation, { summary: '✓✓', checks: [] }).title).toBe('fix');
});

test('long explanations of revisions leave room for the evidence, the proof and the notice of a draft', () => {
  const summary = '<'.repeat(10_000);
  const { body } = describeProposal(operation, {
    ...{ summary, checks: [], proof, shortfall: outOfTurns },
    before: { title: 'Add', summaries: Array.from({ length: 5 }, () => summary) },
  });
  expect(body).toContain('### Revision 6');
  expect(body).toContain('### Evidence');
  expect(body).toContain('**This is a draft.**');
  expect(body).toContain('Requested by Ada.');
});
