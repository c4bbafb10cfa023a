import { factors, turnsPerRepeat } from '../limits.ts';
import type { CallDescription, Detector, Repetition, TurnDescription } from '../turn-description.ts';

const periods = [2, 3];

/** Two or three alternating calls with the same results each time: A-B-A-B, A-B-C-A-B-C. */
export const findAlternation: Detector = (turns, threshold) => {
  for (const period of periods) {
    const cycle = turns.flatMap(({ calls }) => calls).slice(-period);
    if (cycle.length < period || new Set(cycle.map(({ call }) => call)).size < 2) continue;
    const rounds = threshold * (cycle.some(({ waits }) => waits) ? factors.waiting : factors.repeats);
    const repetition = findRounds(turns, cycle, rounds);
    if (repetition) return repetition;
  }
  return undefined;
};

/** The last round counts as soon as its first call is made: then that call has been made as often as allowed. */
function findRounds(
  turns: TurnDescription[],
  cycle: CallDescription[],
  rounds: number,
): Repetition | undefined {
  const period = cycle.length;
  const needed = period * (rounds - 1) + 1;
  let back = 0;
  let turnsSpanned = 0;
  const last = turns.length - 1;
  for (let index = last; index >= 0 && last - index < period * rounds * turnsPerRepeat; index--) {
    const calls = turns[index]?.calls ?? [];
    for (const description of calls.toReversed()) {
      const expected = cycle[period - 1 - (back % period)];
      if (description.call !== expected?.call || description.result !== expected.result) return undefined;
      if (++back === needed) return turnsSpanned + 1 >= rounds ? describe(cycle, rounds) : undefined;
    }
    if (calls.length > 0) turnsSpanned++;
  }
  return undefined;
}

function describe(cycle: CallDescription[], times: number): Repetition {
  const labels = new Set(cycle.map(({ label }) => label));
  const calls = new Set(cycle.map(({ call }) => call));
  return {
    kind: 'alternation',
    key: [...calls].sort().join(' '),
    what: [...labels].sort().join(' and '),
    times,
    tools: [...new Set(cycle.map(({ tool }) => tool))],
  };
}
