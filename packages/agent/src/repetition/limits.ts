/** How often something may repeat, unless FETTLE_LOOP_THRESHOLD is set. */
export const defaultLoopThreshold = 3;

/** How often each kind may repeat, as a multiple of the threshold. */
export const factors = {
  /** The same call with the same result, rounds of an alternation, edits that undo each other, a sentence. */
  repeats: 1,
  /** Similar calls: three wrong guesses at a path are a search, six are a repetition. */
  alike: 2,
  /** A long sentence that repeats while the calls return something new. */
  sentence: 2,
  /** Waiting means making the same call again. */
  waiting: 5,
  /** Turns without anything new. Higher than for waiting. */
  stale: 6,
} as const;

/** Calls that are further apart do not count as a repetition: the model may have forgotten the first one. */
export const turnsPerRepeat = 4;

export const maxThreshold = 20;

/** How many turns are kept: at least as many as the detector with the longest range needs. */
export const windowFor = (threshold: number) => Math.max(64, factors.waiting * turnsPerRepeat * threshold);

/** The detectors look at this many calls of a turn. Normal answers have fewer. */
export const maxCallsPerTurn = 64;

/** How many results, file states and edits are remembered. */
export const maxSeen = 4_096;
