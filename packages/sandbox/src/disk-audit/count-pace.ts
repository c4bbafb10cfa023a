// Counting a tree takes a while, asking how full a file system is costs nothing. So a tree is counted when that has grown
// by an amount that matters. As one may take what another gives back, which shows as no growth at all, it is counted all
// the same after a pause, which is the longer the longer counting takes.

const pauseFactor = 20;
const maxPauseMs = 60_000;

export interface CountPaceOptions {
  /** So much more of the file system is reason enough to count. */
  growth: number;
  shortestPauseMs: number;
  now?: () => number;
}

export interface CountPace {
  /** Counts if it is time to. `taken` is what the file system has lost to everybody together, from whatever start. */
  count<Result>(taken: number, work: () => Promise<Result>): Promise<Result | undefined>;
}

export function createCountPace(options: CountPaceOptions): CountPace {
  const { growth, shortestPauseMs, now = () => performance.now() } = options;
  let leastTaken = Number.POSITIVE_INFINITY;
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    async count(taken, work) {
      // What others give back must not hide what is taken from then on.
      leastTaken = Math.min(leastTaken, taken);
      const startedMs = now();
      if (taken - leastTaken < growth && startedMs < dueMs) return undefined;
      leastTaken = taken;
      try {
        return await work();
      } finally {
        const endedMs = now();
        const pauseMs = Math.max(pauseFactor * (endedMs - startedMs), shortestPauseMs);
        dueMs = endedMs + Math.min(pauseMs, maxPauseMs);
      }
    },
  };
}
