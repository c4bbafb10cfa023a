import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settleUp } from '../src/settle-up.ts';
import { splitBill } from '../src/split-bill.ts';

const friends = ['Ana', 'Ben', 'Cem'];

test('an even bill splits evenly', () => {
  assert.deepEqual(
    splitBill(900, friends).map(({ cents }) => cents),
    [300, 300, 300],
  );
});

test('the shares add up to the bill', () => {
  const sum = splitBill(10_000, friends).reduce((total, { cents }) => total + cents, 0);
  assert.equal(sum, 10_000);
});

test('all balances add up to zero', () => {
  const balances = settleUp([{ paidBy: 'Ana', total: 10_000, sharedBy: friends }]);
  assert.equal(
    [...balances.values()].reduce((sum, cents) => sum + cents, 0),
    0,
  );
});
