import { expect, test } from 'vitest';
import { costOf, pricesOf } from './prices.ts';

const million = 1_000_000;
const usage = (inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  ...{ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
});

test('each kind of token has its own price', () => {
  expect(costOf('claude-sonnet-5-5', usage(million))).toBe(2);
  expect(costOf('claude-sonnet-5-5', usage(0, million))).toBe(10);
  expect(costOf('claude-sonnet-5-5', usage(0, 0, million))).toBe(0.1);
  expect(costOf('claude-sonnet-5-5', usage(0, 0, 0, million))).toBe(2.5);
  expect(costOf('claude-sonnet-5-5', usage(1_000, 500, 20_000, 4_000))).toBeCloseTo(0.019, 10);
  expect(costOf('claude-sonnet-5-5', usage())).toBe(0);
});

test.each([
  ['claude-opus-5-5', 4],
  ['claude-opus-5', 5],
  ['claude-opus-4-5-20251101', 5],
  ['claude-sonnet-5', 2],
  ['claude-sonnet-4-5-20250929', 3],
  ['claude-haiku-4-5', 1],
  ['gpt-5', 1.25],
  ['gpt-5.1-2025-11-13', 1.25],
  ['gpt-5.4-mini', 0.75],
])('a million tokens of %s cost %d dollars', (model, dollars) => {
  expect(costOf(model, usage(million))).toBe(dollars);
});

test('a long prompt, including cached tokens, raises the price of the whole request', () => {
  expect(costOf('claude-haiku-5-5', usage(100_000, 1_000))).toBeCloseTo(0.0105, 10);
  expect(costOf('claude-haiku-5-5', usage(1, 1_000, 100_000))).toBeCloseTo(0.0000005 + 0.0025 + 0.005, 10);
  expect(costOf('gpt-5.4', usage(300_000))).toBe(1.5);
});

test('the price of an unlisted model is unknown', () => {
  const unknown = [
    '',
    'claude-fable-5-2',
    'claude-opus-5-9',
    'gpt-5-pro',
    'gpt-5.4-pro',
    'llama',
    'constructor',
  ];
  expect(unknown.map((model) => costOf(model, usage(million)))).toEqual(unknown.map(() => undefined));
});

test('the list has a date', () => {
  expect(new Date(pricesOf).toISOString()).toMatch(/^2026-/);
});
