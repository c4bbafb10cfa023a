/** What is kept of a turn: hashes, and a few words to name a call by. */
export interface CallMark {
  tool: string;
  label: string;
  /** Tool and input, to the letter. */
  call: string;
  /** Tool and input, less what near-identical calls differ in. */
  kin: string;
  /** Status and output. */
  result: string;
  /** What the results of near-identical calls have in common. */
  likeness: string;
  waits: boolean;
  /** Calls before this one and calls after it met different files, packages or build output. */
  resets: boolean;
  again: { pair: string; path: string }[];
}

export interface TurnMark {
  calls: CallMark[];
  /** Hashes of what was said, with how long each sentence is and how it begins. */
  sentences: Map<string, { length: number; words: string }>;
  /** A file in a new state, or a new result of a check. */
  progress: boolean;
  /** Progress, or a result that had not been seen. */
  news: boolean;
}

/** What repeats. The same loop has the same key, turn after turn. */
export interface Finding {
  kind: 'undoing' | 'alternation' | 'same_call' | 'alike' | 'sentence' | 'stale';
  key: string;
  what: string;
  times: number;
  /** The tools by which it repeats. */
  tools: string[];
}

/** Looks at the turns since the last verdict, the newest last. */
export type Detector = (turns: TurnMark[], threshold: number) => Finding | undefined;
