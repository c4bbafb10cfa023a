/** `high`: a format that only secrets have. `medium`: a context and a value that are typical of secrets. */
export type Severity = 'high' | 'medium';

/** A detected secret, described without its value. */
export interface Finding {
  rule: string;
  file: string;
  line: number;
  column: number;
  severity: Severity;
  /** The surrounding line, with every secret removed. */
  excerpt: string;
  fingerprint: string;
}

/** The position of a secret in a text: the range from `start` to `end` must be removed. */
export interface Match {
  rule: string;
  severity: Severity;
  start: number;
  end: number;
  /** The secret itself, decoded if it was encoded. */
  value: string;
  /** Whether it was found only by decoding. */
  hidden: boolean;
}

/** The message about a secret in a file, and the alternative, for the author of the file. */
export const secretWords = {
  reason: 'it contains a secret',
  instead:
    'Read it from an environment variable or a file that is not in the repository, or write a placeholder such as <token>; in a test, make a value at run time.',
};
