/** Finds lines of withheld files in other texts: plain, encoded, or encoded and wrapped. */
import { describeMatches } from '../describe-matches.ts';
import type { Finding, Match } from '../finding.ts';
import type { Place } from '../masking/find-strings.ts';
import { createFormFinder, createOwnFinder } from '../masking/own-secrets.ts';
import type { Secret } from '../scan-text.ts';

export const withheldRule = 'withheld-file';

export type LineFinder = (text: string) => Place[];

const maxFindings = 50;
/** What separates the parts of a wrapped encoding, in a file of its own or as strings of a program. */
const isBetween = /[\s"'`,\\]/;

export function createLineFinder(lines: string[]): LineFinder {
  if (lines.length === 0) return () => [];
  const find = createOwnFinder(lines);
  const findForms = createFormFinder(lines);
  return (text) => [...find(text), ...findWrapped(findForms, text)];
}

/** `base64` and `xxd` break their output into short lines. */
function findWrapped(find: LineFinder, text: string): Place[] {
  if (!text.includes('\n')) return [];
  const kept: number[] = [];
  let joined = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (isBetween.test(char)) continue;
    joined += char;
    kept.push(at);
  }
  return find(joined).map(({ start, end }) => ({
    start: kept[start] as number,
    end: (kept[end - 1] as number) + 1,
  }));
}

/** The lines of withheld files that a text contains. */
export function listWithheldLines(text: string, find: LineFinder, filename: string): Secret[] {
  const matches: Match[] = [];
  for (const { start, end } of find(text).sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = matches.at(-1);
    if (last && start < last.end) continue;
    const value = text.slice(start, end);
    matches.push({ rule: withheldRule, severity: 'high', start, end, value, hidden: false });
    if (matches.length >= maxFindings) break;
  }
  const findings = describeMatches(text, matches, filename);
  return matches.map(({ value }, at) => ({ finding: findings[at] as Finding, piece: value }));
}
