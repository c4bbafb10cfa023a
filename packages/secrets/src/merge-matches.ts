import type { Match } from './finding.ts';

/** Several rules often see the same: matches that overlap become one, with the name and value of the surest. */
export function mergeMatches(matches: Match[]): Match[] {
  const merged: Match[] = [];
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || match.start >= last.end) merged.push({ ...match });
    else {
      if (isSurer(match, last)) Object.assign(last, { rule: match.rule, severity: match.severity, value: match.value });
      last.end = Math.max(last.end, match.end);
    }
  }
  return merged;
}

function isSurer(match: Match, other: Match): boolean {
  if (match.severity !== other.severity) return match.severity === 'high';
  return match.value.length > other.value.length;
}
