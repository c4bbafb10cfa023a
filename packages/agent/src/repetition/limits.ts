/** How often something may repeat, where no setting says otherwise. */
export const defaultLoopThreshold = 3;

/** What each kind of repetition is allowed, as multiples of the threshold. */
export const factors = {
  /** The same call with the same result; rounds of an alternation; edits that undo each other; a sentence. */
  repeats: 1,
  /** Calls that are only alike: three wrong guesses at a path are a search, six are a habit. */
  alike: 2,
  /** A long sentence said again while the calls beside it bring something new. */
  sentence: 2,
  /** Waiting is done by doing the same again. */
  waiting: 5,
  /** Turns in which nothing is new at all; more than waiting may take. */
  stale: 6,
} as const;

/** Repetitions that take more turns than this for each are none: the model may well have lost sight of the first. */
export const turnsPerRepeat = 4;

export const maxThreshold = 20;

/** Turns that are kept. The slowest detector must be able to see as far as it looks. */
export const windowFor = (threshold: number) => Math.max(64, factors.waiting * turnsPerRepeat * threshold);

/** Calls of one turn that are looked at; no honest answer has more. */
export const maxCallsPerTurn = 64;

/** Results, states and edits that are remembered as seen. */
export const maxSeen = 4_096;
