import { describeMatches } from './describe-matches.ts';
import { findSecrets } from './find-secrets.ts';
import type { Finding } from './finding.ts';

export interface ScanOptions {
  /** For the report alone: no name makes the scanner look away. */
  filename?: string;
  timeoutMs?: number;
}

/** Fifty megabytes take a few seconds; what takes longer was made to. */
const usualTimeoutMs = 20_000;
const maxFindings = 1_000;

/**
 * The secrets in a text. A text that cannot be scanned within the time limit, or that has more than anyone
 * would read, has a finding that says so: what was not seen is not clean.
 */
export function scanText(
  text: string,
  { filename = '', timeoutMs = usualTimeoutMs }: ScanOptions = {},
): Finding[] {
  const { matches, unseenFrom } = findSecrets(text, { timeoutMs });
  const told = matches.slice(0, maxFindings);
  const end = unseenFrom ?? matches[maxFindings]?.start;
  if (end === undefined) return describeMatches(text, told, filename);
  const why =
    unseenFrom === undefined ? `more than ${maxFindings} findings` : `not scanned within ${timeoutMs} ms`;
  const unseen = {
    rule: 'scan-incomplete',
    severity: 'high',
    start: end,
    end,
    value: text,
    hidden: false,
  } as const;
  const findings = describeMatches(text, [...told, unseen], filename);
  return findings.with(-1, {
    ...(findings.at(-1) as Finding),
    excerpt: `(${why}: from here on nothing is known)`,
  });
}
