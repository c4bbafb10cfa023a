import { factors, turnsPerRepeat } from '../limits.ts';
import type { Detector } from '../turn-description.ts';
import { countBack } from './count-back.ts';

/** The same call with the same result, and nothing in between that could have changed the result. */
export const findSameCall: Detector = (turns, threshold) => {
  for (const { tool, label, call, result, waits } of turns.at(-1)?.calls ?? []) {
    const limit = threshold * (waits ? factors.waiting : factors.repeats);
    const times = countBack(turns, limit * turnsPerRepeat, {
      matches: (other) => other.call === call && other.result === result,
      isBarrier: (other) => other.resets && other.call !== call,
    });
    if (times >= limit) return { kind: 'same_call', key: call, what: label, times, tools: [tool] };
  }
  return undefined;
};
