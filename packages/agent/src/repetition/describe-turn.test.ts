import { expect, test } from 'vitest';
import { createTurnDescriber } from './describe-turn.ts';
import { createSeenSet } from './fingerprint.ts';
import { maxCallsPerTurn, maxSeen } from './limits.ts';
import { edit, read, times, turn } from './testing/turns.ts';

const none = new Set<string>();

test('only the first calls of a very long turn are described', () => {
  const description = createTurnDescriber()(turn(...times(1_000, (index) => read(`${index}.ts`))), none);
  expect(description.calls.length).toBe(maxCallsPerTurn);
});

test('a turn brings news, progress or nothing', () => {
  const describeTurn = createTurnDescriber();
  const turns = [
    turn(read('a.ts')),
    turn(read('a.ts')),
    turn(edit('a.ts', 'x', 'y')),
    turn(edit('a.ts', 'y', 'x')),
  ];
  expect(
    turns.map((observed) => describeTurn(observed, none)).map(({ news, progress }) => [news, progress]),
  ).toEqual([
    [true, false],
    [false, false],
    [true, true],
    [true, false],
  ]);
});

test('the set forgets the keys that were not added for the longest time', () => {
  const seen = createSeenSet();
  expect([seen.add('first'), seen.add('second'), seen.add('first')]).toEqual([true, true, false]);
  for (const index of times(maxSeen - 1, (count) => count)) seen.add(`${index}`);
  expect([seen.add('first'), seen.add('second')]).toEqual([false, true]);
});
