import { expect, test } from 'vitest';
import { tightestBudgets } from './budgets.ts';

test('a later layer can lower a budget and never raise it', () => {
  const operator = { parts: 100, turns: 50, tokens: 1_000, usd: 10, seconds: 60 };
  expect(
    tightestBudgets(operator, { turns: 10, tokens: 5_000 }, undefined, { turns: 20, parts: 99 }),
  ).toEqual({
    parts: 99,
    turns: 10,
    tokens: 1_000,
    usd: 10,
    seconds: 60,
  });
});
