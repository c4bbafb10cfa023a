import type { Objection } from '../verdict.ts';

export type PathOperation = 'read' | 'write' | 'delete';

/**
 * What a rule forbids. `all`: reading and changing. `guard`: changing, except where the request names the path and
 * the operator agrees. `new`: writing; reading and deleting are allowed. `shown`: nothing, but the change is shown to
 * a person.
 */
export type Forbids = 'all' | 'guard' | 'new' | 'shown';

/**
 * A path rule, as data. Names are compared after `foldLetters`, in lower case. A rule that covers a folder covers
 * everything in it.
 */
export interface PathRule {
  rule: string;
  forbids: Forbids;
  reason: string;
  instead: string;
  /** Names of files or folders at any depth, separated by spaces. */
  names?: string;
  /** The same, as a pattern for the whole name. */
  like?: RegExp;
  /** Names that `like` matches but the rule does not cover. */
  unlike?: RegExp;
  /** A pattern for the path as given, before folding. */
  written?: RegExp;
  /** Consecutive path segments, separated by spaces: from the root with a leading slash, otherwise at any depth. */
  paths?: string;
  /** Examples, checked by a test. */
  matches: string[];
  leaves: string[];
}

/** The names or paths of a rule as a list. */
export const splitWords = (words = ''): string[] => words.split(/\s+/).filter((word) => word !== '');

export type PathVerdict = { decision: 'allow' } | Objection;
