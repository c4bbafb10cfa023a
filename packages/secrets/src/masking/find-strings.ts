/**
 * Searches for many strings at once: a key has many lines, and each has many spellings. One pass over the text
 * compares four characters with the beginnings of all of them; strings with the same beginning, such as tokens of one
 * service, are looked up by length. So the time does not grow with the number of strings.
 */

export interface Place {
  start: number;
  end: number;
}

const beginning = 4;
const bits = 16;
const mask = (1 << bits) - 1;

/**
 * The positions of any of the strings, in order, with overlaps merged. Strings shorter than four characters are
 * ignored.
 */
export function createFinder(strings: string[]): (text: string) => Place[] {
  const byBeginning = new Map<number, Map<number, Set<string>>>();
  const begins = new Uint8Array(1 << bits);
  for (const string of new Set(strings.filter(({ length }) => length >= beginning))) {
    const hash = hashAt(string, 0);
    begins[hash] = 1;
    const byLength = byBeginning.get(hash) ?? new Map<number, Set<string>>();
    byBeginning.set(hash, byLength);
    byLength.set(string.length, (byLength.get(string.length) ?? new Set()).add(string));
  }
  return (text) => {
    const places: Place[] = [];
    if (byBeginning.size === 0) return places;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = ((hash << 4) ^ text.charCodeAt(at)) & mask;
      if (begins[hash] === 0) continue;
      const start = at - beginning + 1;
      if (start < 0) continue;
      let longest = 0;
      for (const [length, those] of byBeginning.get(hashAt(text, start)) ?? [])
        if (length > longest && those.has(text.slice(start, start + length))) longest = length;
      if (longest > 0) add(places, start, start + longest);
    }
    return places;
  };
}

/** A rolling hash of four characters. */
function hashAt(text: string, start: number): number {
  let hash = 0;
  for (let at = start; at < start + beginning; at += 1) hash = ((hash << 4) ^ text.charCodeAt(at)) & mask;
  return hash;
}

function add(places: Place[], start: number, end: number): void {
  const last = places.at(-1);
  if (last && start < last.end) last.end = Math.max(last.end, end);
  else places.push({ start, end });
}
