/** Random numbers that can be reproduced: the same seed returns the same numbers (mulberry32). */
export type Random = ReturnType<typeof createRandom>;

export function createRandom(seed: number) {
  let state = seed >>> 0;

  /** At least 0, less than 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));

  return {
    between,
    chance: (probability: number) => next() < probability,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new Error('there is nothing to pick from');
      return choices[between(0, choices.length - 1)] as T;
    },
    /** Another row of numbers, so that what is drawn here does not change what is drawn there. */
    fork: () => createRandom(between(0, 2 ** 32 - 1)),
  };
}
