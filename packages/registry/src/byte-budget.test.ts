import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

test('callers beyond the limit wait in order, and a failed action frees its bytes', async () => {
  const budget = createByteBudget(10);
  const log: string[] = [];
  let held = 0;
  let most = 0;
  const use = (name: string, bytes: number, fails = false) =>
    budget.hold(bytes, async () => {
      log.push(name);
      held += Math.min(bytes, 10);
      most = Math.max(most, held);
      await setImmediate();
      held -= Math.min(bytes, 10);
      if (fails) throw new Error(name);
    });
  const all = [use('a', 6), use('b', 4, true), use('too much', 50), use('c', 0), use('d', 10), use('e', 1)];
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true]);
  expect(log).toEqual(['a', 'b', 'too much', 'c', 'd', 'e']);
  expect(most).toBe(10);
});
