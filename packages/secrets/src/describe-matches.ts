import { createHash } from 'node:crypto';
import { createExcerpts } from './excerpt.ts';
import type { Finding, Match } from './finding.ts';

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

/**
 * The same secret under the same rule has the same fingerprint on every machine and at any time, so that an
 * operator can allow it by fingerprint. So there is no salt. The rule is part of it, so that allowing one kind of match
 * does not allow another. The file name is not, so that a moved file stays allowed. It is truncated to 64
 * bits: enough to distinguish the secrets of an installation without revealing them. Anyone who can
 * guess the secret can confirm the guess, so it belongs in reports and records, never in public text.
 */
export function fingerprintOf(rule: string, secret: string): string {
  const hash = createHash('sha256').update(`fettle-secret-1\0${rule}\0${secret}`).digest('hex');
  return `fs1-${hash.slice(0, 16)}`;
}
