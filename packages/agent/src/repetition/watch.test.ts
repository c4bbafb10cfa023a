import { describe, expect, test } from 'vitest';
import type { LoopVerdict, NotedTurn } from './noted-turn.ts';
import { legitimateSequences } from './testing/legitimate.ts';
import { recordedLoops } from './testing/loops.ts';
import { tools } from './testing/notes.ts';
import { createLoopWatch } from './watch.ts';

function play(turns: NotedTurn[], threshold = 3): (LoopVerdict | undefined)[] {
  const watch = createLoopWatch({ threshold, tools });
  return turns.map((turn) => watch.noteTurn(turn));
}

describe('a loop is named', () => {
  test.each(recordedLoops)('$name', ({ turns, toldAfter, told }) => {
    const verdicts = play(turns.slice(0, toldAfter));
    expect(verdicts.slice(0, -1)).toEqual(verdicts.slice(0, -1).map(() => undefined));
    expect(verdicts.at(-1)).toEqual({ step: 'nudge', message: expect.stringContaining(told) });
  });

  test('later, with a higher threshold', () => {
    for (const { turns, toldAfter } of recordedLoops)
      expect(play(turns.slice(0, toldAfter), 4)).toEqual(turns.slice(0, toldAfter).map(() => undefined));
  });

  test('in one or two sentences, and in words of bounded length', () => {
    for (const { turns, toldAfter } of recordedLoops)
      expect(play(turns)[toldAfter - 1]?.message.length).toBeLessThan(400);
  });
});

describe('no loop', () => {
  test.each(Object.entries(legitimateSequences))('%s', (_name, turns) => {
    expect(play(turns).filter(Boolean)).toEqual([]);
  });
});
