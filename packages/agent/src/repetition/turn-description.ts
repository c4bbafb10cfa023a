/** What is kept of a turn: hashes, and a short label for each call. */
export interface CallDescription {
  tool: string;
  label: string;
  /** Hash of the tool and its exact input. */
  call: string;
  /** Hash of the tool and its input without the details in which similar calls differ. */
  similarCall: string;
  /** Hash of the status and the output. */
  result: string;
  /** Hash of what the results of similar calls have in common. */
  similarResult: string;
  /** Whether the call waits for something outside. */
  waits: boolean;
  /** Whether the call changed files, packages or build output, so that the same call may now return something else. */
  resets: boolean;
  /** Changes that moved a file between two states it had been in before. */
  repeatedMoves: { pair: string; path: string }[];
}

export interface TurnDescription {
  calls: CallDescription[];
  /** The sentences by hash, with their length and their beginning. */
  sentences: Map<string, { length: number; words: string }>;
  /** Whether a file got a new state or a check got a new result. */
  progress: boolean;
  /** Whether there was progress or a result that had not been seen before. */
  news: boolean;
}

/** A repetition that a detector found. The same repetition has the same key in every turn. */
export interface Repetition {
  kind: 'undoing' | 'alternation' | 'same_call' | 'alike' | 'sentence' | 'stale';
  key: string;
  what: string;
  times: number;
  /** The tools that are called repeatedly. */
  tools: string[];
}

/** Looks at the turns since the last verdict, newest last. */
export type Detector = (turns: TurnDescription[], threshold: number) => Repetition | undefined;
