import { factors, turnsPerRepeat } from '../limits.ts';
import type { Detector } from '../marks.ts';
import { countBack } from './count-back.ts';

/** Calls that differ in paths and numbers only, and come to the same. */
export const findAlikeCalls: Detector = (turns, threshold) => {
  const limit = threshold * factors.alike;
  for (const { tool, label, kin, likeness, waits } of turns.at(-1)?.calls ?? []) {
    if (waits) continue;
    const times = countBack(turns, limit * turnsPerRepeat, {
      matches: (other) => other.kin === kin && other.likeness === likeness,
      isBarrier: (other) => other.resets,
    });
    if (times >= limit) return { kind: 'alike', key: kin, what: label, times, tools: [tool] };
  }
  return undefined;
};
