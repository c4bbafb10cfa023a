import { createExcerpts } from './excerpt.ts';
import { findSecrets } from './find-secrets.ts';
import type { Finding, Match } from './finding.ts';
import { fingerprintOf } from './fingerprint.ts';

export interface ScanOptions {
  /** For the report alone: no name makes the scanner look away. */
  filename?: string;
  timeoutMs?: number;
}

/** Fifty megabytes take a few seconds; what takes longer was made to. */
export const usualTimeoutMs = 20_000;
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
  const excerpts = createExcerpts(text, matches);
  const describe = ({ rule, severity, start, value }: Match): Finding => ({
    rule,
    file: filename,
    ...excerpts.locate(start),
    severity,
    excerpt: excerpts.around(start),
    fingerprint: fingerprintOf(rule, value),
  });
  const findings = matches.slice(0, maxFindings).map(describe);
  const unseen = unseenFrom ?? matches[maxFindings]?.start;
  if (unseen === undefined) return findings;
  const why =
    unseenFrom === undefined ? `more than ${maxFindings} findings` : `not scanned within ${timeoutMs} ms`;
  const nothing = { rule: 'scan-incomplete', severity: 'high', value: text, hidden: false } as const;
  const incomplete = describe({ ...nothing, start: unseen, end: unseen });
  return [...findings, { ...incomplete, excerpt: `(${why}: from here on nothing is known)` }];
}
