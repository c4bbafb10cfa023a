import { describe, expect, test } from 'vitest';
import type { RepetitionVerdict } from './escalate.ts';
import type { ObservedTurn } from './observed-turn.ts';
import { legitimateSequences } from './testing/legitimate.ts';
import { recordedRepetitions } from './testing/repetitions.ts';
import { tools } from './testing/turns.ts';
import { createRepetitionWatch } from './watch.ts';

function play(turns: ObservedTurn[], threshold = 3): (RepetitionVerdict | undefined)[] {
  const watch = createRepetitionWatch({ threshold, tools });
  return turns.map((turn) => watch.observe(turn));
}

describe('a repetition is reported', () => {
  test.each(recordedRepetitions)('$name', ({ turns, nudgeAfter, message }) => {
    const verdicts = play(turns.slice(0, nudgeAfter));
    expect(verdicts.slice(0, -1)).toEqual(verdicts.slice(0, -1).map(() => undefined));
    expect(verdicts.at(-1)).toEqual({ step: 'nudge', message: expect.stringContaining(message) });
  });

  test('later, with a higher threshold', () => {
    for (const { turns, nudgeAfter } of recordedRepetitions)
      expect(play(turns.slice(0, nudgeAfter), 4)).toEqual(turns.slice(0, nudgeAfter).map(() => undefined));
  });

  test('in a short message', () => {
    for (const { turns, nudgeAfter } of recordedRepetitions)
      expect(play(turns)[nudgeAfter - 1]?.message.length).toBeLessThan(400);
  });
});

describe('legitimate work is not reported', () => {
  test.each(Object.entries(legitimateSequences))('%s', (_name, turns) => {
    expect(play(turns).filter(Boolean)).toEqual([]);
  });
});
