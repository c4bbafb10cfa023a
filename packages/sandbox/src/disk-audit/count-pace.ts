/**
 * Decides when to count a tree. Counting is slow, while asking how full the file system is costs nothing. So a tree is
 * counted when the file system's usage has grown by a relevant amount. Because one user's growth can be masked by another
 * user's deletions, it is also counted after a pause. The pause grows with the time that a count takes.
 */
const pauseFactor = 20;
const maxPauseMs = 60_000;

export interface CountPaceOptions {
  /** Growth of the file system's usage that triggers a count. */
  growth: number;
  minPauseMs: number;
  now?: () => number;
}

export interface CountPace {
  /** Counts if it is due. `used` is the usage of the whole file system, relative to any fixed point. */
  count<Result>(used: number, work: () => Promise<Result>): Promise<Result | undefined>;
}

export function createCountPace(options: CountPaceOptions): CountPace {
  const { growth, minPauseMs, now = () => performance.now() } = options;
  let leastUsed = Number.POSITIVE_INFINITY;
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    async count(used, work) {
      // Growth is measured from the lowest usage, so that deletions by others do not hide it.
      leastUsed = Math.min(leastUsed, used);
      const startedMs = now();
      if (used - leastUsed < growth && startedMs < dueMs) return undefined;
      leastUsed = used;
      try {
        return await work();
      } finally {
        const endedMs = now();
        const pauseMs = Math.max(pauseFactor * (endedMs - startedMs), minPauseMs);
        dueMs = endedMs + Math.min(pauseMs, maxPauseMs);
      }
    },
  };
}
