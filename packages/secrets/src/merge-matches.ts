import type { Match } from './finding.ts';

/**
 * Several rules often match the same text: overlapping matches are merged, with the name and value of the most reliable.
 * A decoded match can extend a plain one (a key that continues after a split), but never merges
 * two plain ones, since each has its own fingerprint.
 */
export function mergeMatches(matches: Match[]): Match[] {
  const plain = unite(matches.filter(({ hidden }) => !hidden));
  const alone: Match[] = [];
  for (const match of matches.filter(({ hidden }) => hidden)) {
    const first = firstEndingAfter(plain, match.start);
    const [over, next] = plain.slice(first, first + 2);
    if (over === undefined || over.start >= match.end) alone.push(match);
    else if (next === undefined || next.start >= match.end) absorb(over, match);
  }
  return unite([...plain, ...alone]);
}

function unite(matches: Match[]): Match[] {
  const united: Match[] = [];
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (last && match.start < last.end) absorb(last, match);
    else united.push({ ...match });
  }
  return united;
}

function absorb(into: Match, match: Match): void {
  const { rule, severity, value, hidden } = match;
  if (isSurer(match, into)) Object.assign(into, { rule, severity, value, hidden });
  into.start = Math.min(into.start, match.start);
  into.end = Math.max(into.end, match.end);
}

function isSurer(match: Match, other: Match): boolean {
  if (match.severity !== other.severity) return match.severity === 'high';
  if (match.hidden !== other.hidden) return other.hidden;
  return match.value.length > other.value.length;
}

/** For sorted matches that do not overlap. */
export function firstEndingAfter(matches: Match[], position: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle] as Match).end <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
