import type { Usage } from '@fettle/contract';
import { expect, test } from 'vitest';
import { costOf as priceOf } from '../model/prices.ts';
import { findWarning, reserve } from './budget.ts';

const budgets = { parts: 10, turns: 5, tokens: 100_000, usd: 1, seconds: 60 };
const spent = { parts: 9, turns: 4, tokens: 50_000, usd: 0.5, seconds: 59.9 };
const next = { inputTokens: 10_000, maxOutputTokens: 16_000 };
/** One dollar per million input tokens, five per million output tokens. */
const costOf = (usage: { cacheWriteTokens: number; outputTokens: number }) =>
  (usage.cacheWriteTokens + 5 * usage.outputTokens) / 1_000_000;
const unknown = () => undefined;

test('another call fits while every budget has something left', () =>
  expect(reserve(budgets, spent, next, costOf)).toEqual({ ok: true, maxOutputTokens: 16_000 }));

test.each([
  ['parts', 10],
  ['turns', 5],
  ['seconds', 60.2],
] as const)('a used-up budget of %s is named', (name, value) => {
  expect(reserve(budgets, { ...spent, [name]: value }, next, costOf)).toEqual({
    ok: false,
    reason: `budget_${name}`,
    message: `${Math.floor(value)} of ${budgets[name]} ${name} are used up`,
  });
});

test('the remaining tokens limit the length of the answer', () =>
  expect(reserve(budgets, { ...spent, tokens: 85_000 }, next, costOf)).toEqual({
    ok: true,
    maxOutputTokens: 5_000,
  }));

test('a call that would exceed the token budget is not made', () =>
  expect(reserve(budgets, { ...spent, tokens: 89_800 }, next, costOf)).toEqual({
    ok: false,
    reason: 'budget_tokens',
    message: '89800 of 100000 tokens are used up, and the next call needs 10000 tokens plus its answer',
  }));

test('the remaining money limits the length of the answer, at the highest price', () => {
  expect(reserve(budgets, { ...spent, usd: 0.95 }, next, costOf)).toEqual({
    ok: true,
    maxOutputTokens: 8_000,
  });
  expect(reserve(budgets, { ...spent, usd: 0.99 }, next, costOf)).toEqual({
    ok: false,
    reason: 'budget_usd',
    message:
      '$0.99 of $1.00 are used up, and the next call needs at least $0.0125 for 10000 tokens and a short answer',
  });
  expect(reserve(budgets, { ...spent, usd: 0.99 }, next, unknown)).toMatchObject({ ok: true });
});

test('a budget smaller than the first call is not called used up, and no figure is rounded to zero', () => {
  const small = { ...budgets, usd: 0.004 };
  expect(reserve(small, { ...spent, usd: 0 }, next, costOf)).toEqual({
    ok: false,
    reason: 'budget_usd',
    message:
      'the budget of $0.0040 is smaller than the next call needs: at least $0.0125 for 10000 tokens and a short answer',
  });
});

test('input is reserved at its normal price if writing the cache is free', () => {
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

test('the fullest budget causes a warning at 70 and at 90 percent, each once', () => {
  expect(findWarning(budgets, half, 0)).toBeUndefined();
  const most = { ...half, tokens: 72_000 };
  expect(findWarning(budgets, most, 0)).toEqual({
    level: 70,
    text: '(Fettle: 72 percent of the budget of tokens is used; left: 28000. Plan the remaining work so that it fits.)',
  });
  expect(findWarning(budgets, most, 70)).toBeUndefined();
  expect(findWarning(budgets, { ...most, usd: 0.95 }, 70)).toMatchObject({
    level: 90,
    text: expect.stringMatching(/95 percent of the budget of US dollars is used; left: \$0\.05. Finish now/),
  });
  expect(findWarning(budgets, { ...most, usd: 1 }, 90)).toBeUndefined();
});
