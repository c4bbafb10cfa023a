import { createExcerpts } from './excerpt.ts';
import type { Finding, Match } from './finding.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Matches in text order, as reported. */
export function describeMatches(text: string, matches: Match[], file: string): Finding[] {
  const excerpts = createExcerpts(text, matches);
  return matches.map(({ rule, severity, start, value }) => ({
    rule,
    file,
    ...excerpts.locate(start),
    severity,
    excerpt: excerpts.around(start),
    fingerprint: fingerprintOf(rule, value),
  }));
}
