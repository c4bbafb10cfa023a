import { type Operation, type Outcome, operationSchema } from '@fettle/contract';
import { expect, test } from 'vitest';
import { describeProgress } from './describe-progress.ts';

const at = '2026-11-19T12:00:00.000Z';
const describe = (given: Partial<Operation>) =>
  describeProgress(
    operationSchema.parse({
      ...{ id: 'op_1', state: 'acting', kind: 'fix', priority: 'medium', repository: 'acme/shop' },
      request: { kind: 'fix', description: 'it', repository: 'acme/shop' },
      ...{ requestedBy: 'bob', attempts: 1, revision: 1, outcome: null, waitsFor: null },
      totals: { parts: 1, turns: 1, tokens: 1, usd: 0.25 },
      ...{ createdAt: at, stateSince: at, settledAt: null },
      ...given,
    }),
  );

const pullRequest = { number: 7, url: 'https://github.com/acme/shop/pull/7', title: 'Add up' };
const proposal: Outcome = { kind: 'proposal', draft: false, branch: 'b', headCommit: 'c', pullRequest };

test('the comment names the operation, its state and its cost, and has a marker', () => {
  const text = describe({});
  expect(text).toMatch(/^<!-- fettle:status:op_1 -->\nFettle is working\./);
  expect(text).toContain('`op_1` · fix · acting · $0.25 so far');
  expect(describe({ revision: 2, outcome: proposal })).toContain('working on #7');
  expect(describe({ state: 'queued', waitsFor: 'a free worker' })).toContain('waits for a free worker');
});

test('the result replaces the progress', () => {
  const ended = (outcome: Outcome, state: Operation['state']) => describe({ state, outcome });
  expect(ended(proposal, 'awaiting_approval')).toContain('Pull request #7: Add up');
  expect(ended(proposal, 'merged')).toContain('(merged)');
  expect(ended({ kind: 'answer', answer: 'Since 2020.' }, 'answered')).toContain('Since 2020.');
  const failure = { kind: 'failure' as const, reason: 'internal' as const, message: 'it broke' };
  expect(ended(failure, 'failed')).toContain('`/fettle retry`');
  expect(ended(failure, 'failed')).not.toContain('so far');
});

test('the text of an agent notifies nobody and hides nothing', () => {
  const text = describe({
    state: 'answered',
    outcome: { kind: 'answer', answer: 'Ask @ada. <!-- fettle:status:op_2 -->' },
  });
  expect(text).not.toMatch(/@ada|<!-- fettle:status:op_2/);
});
