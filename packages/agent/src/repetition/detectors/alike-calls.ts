import { factors, turnsPerRepeat } from '../limits.ts';
import type { Detector } from '../turn-description.ts';
import { countBack } from './count-back.ts';

/** Calls that differ only in paths and numbers, and have the same result. */
export const findAlikeCalls: Detector = (turns, threshold) => {
  const limit = threshold * factors.alike;
  for (const { tool, label, similarCall, similarResult, waits } of turns.at(-1)?.calls ?? []) {
    if (waits) continue;
    const times = countBack(turns, limit * turnsPerRepeat, {
      matches: (other) => other.similarCall === similarCall && other.similarResult === similarResult,
      isBarrier: (other) => other.resets,
    });
    if (times >= limit) return { kind: 'alike', key: similarCall, what: label, times, tools: [tool] };
  }
  return undefined;
};
