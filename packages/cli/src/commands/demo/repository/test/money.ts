import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, parseAmount } from '../src/money.ts';

test('amounts are read as cents', () => {
  assert.deepEqual(['12.50', '12.5', '12', '-0.05'].map(parseAmount), [1250, 1250, 1200, -5]);
  assert.throws(() => parseAmount('12,50'), RangeError);
});

test('amounts are written with two decimals', () => {
  assert.deepEqual([1250, 5, -5, 0].map(formatAmount), ['12.50', '0.05', '-0.05', '0.00']);
});
