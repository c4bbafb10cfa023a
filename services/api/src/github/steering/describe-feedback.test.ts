import type { Feedback } from '@fettle/database';
import { expect, test } from 'vitest';
import { describeFeedback } from './describe-feedback.ts';

const feedback = (given: Partial<Feedback>): Feedback => ({
  ...{ key: 'review:1', operationId: 'op_1', kind: 'review', author: 'bob', text: '', items: [] },
  ...{ createdAt: new Date(), dueAt: new Date(), batch: undefined, revision: undefined },
  ...given,
});

test('a batch names the author, the file and the line of each text', () => {
  const items = [
    { path: 'a.ts', line: 3, text: 'A better name, please', commentId: 1 },
    { path: 'b.ts', line: null, text: 'Remove this ', commentId: 2 },
  ];
  expect(describeFeedback([feedback({ text: 'Almost', items })])).toBe(
    'bob wrote:\nAlmost\n\nbob wrote about a.ts, line 3:\nA better name, please\n\nbob wrote about b.ts:\nRemove this',
  );
});

test('long texts are shortened, so that each of them is there', () => {
  const long = describeFeedback([
    feedback({ text: 'x'.repeat(20_000) }),
    feedback({ kind: 'check', author: 'Fettle', text: `the check: ${'y'.repeat(20_000)}` }),
  ]);
  expect(long.length).toBeLessThanOrEqual(10_000);
  expect(long).toContain('bob wrote:\nxxx');
  expect(long).toContain('[shortened]\n\nthe check: yyy');
});
