/** `high`: a format that only secrets have. `medium`: a place and a look that secrets have. */
export type Severity = 'high' | 'medium';

/** Something that must not get out, told without telling it. */
export interface Finding {
  rule: string;
  file: string;
  line: number;
  column: number;
  severity: Severity;
  /** The line around it, with every secret in it taken out. */
  excerpt: string;
  fingerprint: string;
}

/** Where a secret stands in a text: what is between `start` and `end` is what must be taken out. */
export interface Match {
  rule: string;
  severity: Severity;
  start: number;
  end: number;
  /** The secret itself, decoded where it was encoded. */
  value: string;
  /** Whether it was written otherwise, and seen only by decoding. */
  hidden: boolean;
}
