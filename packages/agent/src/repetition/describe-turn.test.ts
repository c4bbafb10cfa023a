import { expect, test } from 'vitest';
import { createMarker } from './describe-turn.ts';
import { maxCallsPerTurn, maxSeen } from './limits.ts';
import { createSeen } from './seen.ts';
import { edit, read, times, turn } from './testing/notes.ts';

const none = new Set<string>();

test('of a turn without end only the beginning is kept', () => {
  const mark = createMarker()(turn(...times(1_000, (index) => read(`${index}.ts`))), none);
  expect(mark.calls.length).toBe(maxCallsPerTurn);
});

test('what a turn brought: news, progress, or nothing', () => {
  const markTurn = createMarker();
  const turns = [
    turn(read('a.ts')),
    turn(read('a.ts')),
    turn(edit('a.ts', 'x', 'y')),
    turn(edit('a.ts', 'y', 'x')),
  ];
  expect(turns.map((noted) => markTurn(noted, none)).map(({ news, progress }) => [news, progress])).toEqual([
    [true, false],
    [false, false],
    [true, true],
    [true, false],
  ]);
});

test('what has not been met for longest is forgotten', () => {
  const seen = createSeen();
  expect([seen.add('first'), seen.add('second'), seen.add('first')]).toEqual([true, true, false]);
  for (const index of times(maxSeen - 1, (count) => count)) seen.add(`${index}`);
  expect([seen.add('first'), seen.add('second')]).toEqual([false, true]);
});
