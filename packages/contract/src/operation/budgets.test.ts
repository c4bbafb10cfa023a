import { expect, test } from 'vitest';
import { showUsd, tightestBudgets } from './budgets.ts';

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

test.each([
  [0, '$0.00'],
  [0.00001, '<$0.0001'],
  [0.0042, '$0.0042'],
  [0.01, '$0.01'],
  [0.0123, '$0.0123'],
  [0.123, '$0.12'],
  [10, '$10.00'],
])('%d US dollars are shown as %s', (usd, text) => {
  expect(showUsd(usd)).toBe(text);
});
