/** The position of a finding, and the surrounding line without secrets. */
import type { Match } from './finding.ts';
import { firstEndingAfter } from './merge-matches.ts';
import { looksRandom } from './randomness.ts';

const around = 60;
const redacted = '[redacted]';

export interface Excerpts {
  /** Must be called with increasing positions: each newline is counted once. */
  locate(start: number): { line: number; column: number };
  around(start: number): string;
}

export function createExcerpts(text: string, matches: Match[]): Excerpts {
  let line = 1;
  let lineStart = 0;
  const locate = (start: number) => {
    for (
      let at = text.indexOf('\n', lineStart);
      at !== -1 && at < start;
      at = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = at + 1;
    }
    return { line, column: start - lineStart + 1 };
  };
  return { locate, around: (start) => cutOut(text, matches, start) };
}

function cutOut(text: string, matches: Match[], start: number): string {
  const newline = text.indexOf('\n', start);
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - around);
  let first = firstEndingAfter(matches, from);
  let excerpt = '';
  let at = from;
  // The text after the secret is shown from its end on, however long the secret is.
  for (let shown = 0; shown < around && matches[first] !== undefined; first += 1) {
    const match = matches[first] as Match;
    if (newline !== -1 && match.start > newline) break;
    if (match.start > start + around && match.start > at + around) break;
    excerpt += `${text.slice(at, Math.max(at, match.start))}${redacted}`;
    shown += Math.max(0, match.start - Math.max(at, start));
    at = match.end;
  }
  const end = newline === -1 || newline < at ? lineEnd(text, at) : newline;
  return harmless(`${excerpt}${text.slice(at, Math.min(end, at + around))}`);
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline;
}

/** A random-looking value next to a secret may be another secret that no rule knows. */
function harmless(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[\w+/=-]{16,}/g, (run) => (looksRandom(run) ? redacted : run))
    .trim();
}
