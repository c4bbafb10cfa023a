import type { Usage } from '@fettle/contract';
import { expect, test } from 'vitest';
import { costOf as priceOf } from '../model/prices.ts';
import { findWarning, reserve } from './budget.ts';

const budgets = { parts: 10, turns: 5, tokens: 100_000, usd: 1, seconds: 60 };
const spent = { parts: 9, turns: 4, tokens: 50_000, usd: 0.5, seconds: 59.9 };
const next = { inputTokens: 10_000, maxOutputTokens: 16_000 };
/** A dollar for a million tokens sent, five for a million answered. */
const costOf = (usage: { cacheWriteTokens: number; outputTokens: number }) =>
  (usage.cacheWriteTokens + 5 * usage.outputTokens) / 1_000_000;
const unknown = () => undefined;

test('there is room for one more call below every limit', () =>
  expect(reserve(budgets, spent, next, costOf)).toEqual({ ok: true, maxOutputTokens: 16_000 }));

test.each([
  ['parts', 10],
  ['turns', 5],
  ['seconds', 60.2],
] as const)('%s that are used up are named', (name, value) => {
  expect(reserve(budgets, { ...spent, [name]: value }, next, costOf)).toEqual({
    ok: false,
    reason: `budget_${name}`,
    message: `${Math.floor(value)} of ${budgets[name]} ${name} are used up`,
  });
});

test('an answer may be no longer than the tokens that are left', () =>
  expect(reserve(budgets, { ...spent, tokens: 85_000 }, next, costOf)).toEqual({
    ok: true,
    maxOutputTokens: 5_000,
  }));

test('tokens end before the call that would go over', () =>
  expect(reserve(budgets, { ...spent, tokens: 89_800 }, next, costOf)).toEqual({
    ok: false,
    reason: 'budget_tokens',
    message: '89800 of 100000 tokens are used up, and the next call would need 10000 tokens and its answer',
  }));

test('an answer may be no dearer than the money that is left, at the dearest', () => {
  expect(reserve(budgets, { ...spent, usd: 0.95 }, next, costOf)).toEqual({
    ok: true,
    maxOutputTokens: 8_000,
  });
  expect(reserve(budgets, { ...spent, usd: 0.99 }, next, costOf)).toEqual({
    ok: false,
    reason: 'budget_usd',
    message: '0.99 of 1.00 US dollars are used up, and the next call would need 10000 tokens and its answer',
  });
  expect(reserve(budgets, { ...spent, usd: 0.99 }, next, unknown)).toMatchObject({ ok: true });
});

test('money is kept for what is sent where writing the cache costs nothing', () => {
  const costOfGpt = (usage: Usage) => priceOf('gpt-5.4', usage);
  const left = { ...spent, usd: 0.9 };
  expect(reserve(budgets, left, { ...next, inputTokens: 39_000 }, costOfGpt)).toMatchObject({
    ok: false,
    reason: 'budget_usd',
  });
  expect(reserve(budgets, left, { ...next, inputTokens: 10_000 }, costOfGpt)).toEqual({
    ok: true,
    maxOutputTokens: 4_999,
  });
});

const half = { parts: 1, turns: 1, tokens: 50_000, usd: 0.1, seconds: 1 };

test('the fullest budget is told at 70 percent and at 90, each once', () => {
  expect(findWarning(budgets, half, 0)).toBeUndefined();
  const most = { ...half, tokens: 72_000 };
  expect(findWarning(budgets, most, 0)).toEqual({
    level: 70,
    text: '(Fettle: 72 percent of the tokens are used; left: 28000. Plan what is left so that it fits.)',
  });
  expect(findWarning(budgets, most, 70)).toBeUndefined();
  expect(findWarning(budgets, { ...most, usd: 0.95 }, 70)).toMatchObject({
    level: 90,
    text: expect.stringMatching(/95 percent of the US dollars are used; left: 0.05. Wrap up now/),
  });
  expect(findWarning(budgets, { ...most, usd: 1 }, 90)).toBeUndefined();
});
