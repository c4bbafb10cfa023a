import type { Objection } from '../verdict.ts';

export type PathOperation = 'read' | 'write' | 'delete';

/**
 * What a rule forbids. `all` is neither read nor changed; a `guard` may be read, and is changed only where the request
 * names it and the operator agrees; `new` may not be written, and may be read and deleted; `shown` may be done, and a
 * person has to be shown it.
 */
export type Forbids = 'all' | 'guard' | 'new' | 'shown';

/**
 * A rule on paths, as data. Names are compared as `foldLetters` makes them: in small letters. A path is covered by what
 * covers a folder on its way.
 */
export interface PathRule {
  rule: string;
  forbids: Forbids;
  reason: string;
  instead: string;
  /** Names of files or folders, by blanks, wherever they are. */
  names?: string;
  /** The same, by a pattern for the whole name. */
  like?: RegExp;
  /** Names that `like` means, and the rule does not. */
  unlike?: RegExp;
  /** A pattern for the path as it was given, before anything is folded. */
  written?: RegExp;
  /** Several names in a row, by blanks: from the root with a slash in front, else anywhere. */
  paths?: string;
  /** Examples, checked by a test. */
  matches: string[];
  leaves: string[];
}

/** The names or paths of a rule, one by one. */
export const splitWords = (words = ''): string[] => words.split(/\s+/).filter((word) => word !== '');

export type PathVerdict = { decision: 'allow' } | Objection;
