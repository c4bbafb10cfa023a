/** Finds secrets in a string, plain or encoded. Knows nothing of files and lines. */
import { decode } from './decode/decode.ts';
import { toOneByte } from './decode/one-byte.ts';
import type { Match } from './finding.ts';
import { mergeMatches } from './merge-matches.ts';
import { maintainedRules } from './rules/maintained-rules.ts';
import { noteMarks } from './rules/marks.ts';
import { isLookAlike, ownRules } from './rules/own-rules.ts';

const rules = [...ownRules, ...maintainedRules];

/** An encoded text can contain another encoding. */
const deepest = 3;
// A rule cannot be interrupted within one window, so windows are small. They overlap by more than the longest secret.
const windowLength = 256 * 1024;
const overlap = 12 * 1024;

export interface Search {
  matches: Match[];
  /** Where the scan stopped because time ran out. */
  unseenFrom?: number;
}

export function findSecrets(text: string, { timeoutMs }: { timeoutMs: number }): Search {
  const deadline = performance.now() + timeoutMs;
  const matches: Match[] = [];
  for (let from = 0; from === 0 || from + overlap < text.length; from += windowLength - overlap) {
    const found = searchWindow(toOneByte(text.slice(from, from + windowLength)), { deadline, depth: 0 });
    if (!found) return { matches: mergeMatches(matches), unseenFrom: from };
    for (const match of found) matches.push({ ...match, start: match.start + from, end: match.end + from });
  }
  return { matches: mergeMatches(matches) };
}

/** Undefined when time ran out. */
function searchWindow(
  text: string,
  { deadline, depth }: { deadline: number; depth: number },
): Match[] | undefined {
  const matches: Match[] = [];
  const mayHave = noteMarks(text);
  for (const rule of rules) {
    if (performance.now() > deadline) return undefined;
    for (const match of rule(text, mayHave)) if (!isLookAlike(match, text)) matches.push(match);
  }
  const derived = depth < deepest ? decode(text) : undefined;
  if (!derived) return matches;
  const inside = searchWindow(derived.text, { deadline, depth: depth + 1 });
  if (!inside) return undefined;
  for (const match of inside)
    matches.push({ ...match, ...derived.locate(match.start, match.end), hidden: true });
  return matches;
}
