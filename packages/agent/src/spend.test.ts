import { expect, test } from 'vitest';
import { findOverspent } from './spend.ts';

const budgets = { parts: 10, turns: 5, tokens: 100, seconds: 60 };
const spent = { parts: 9, turns: 4, tokens: 99, seconds: 59.9 };

test('there is room for one more call below every limit', () =>
  expect(findOverspent(budgets, spent)).toBeUndefined());

test.each([
  ['parts', 10],
  ['turns', 5],
  ['tokens', 250],
  ['seconds', 60.2],
] as const)('%s that are used up are named', (name, value) => {
  expect(findOverspent(budgets, { ...spent, [name]: value })).toEqual({
    reason: `budget_${name}`,
    message: `${Math.floor(value)} of ${budgets[name]} ${name} are used up`,
  });
});
