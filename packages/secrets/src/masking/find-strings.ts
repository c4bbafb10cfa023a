// Looks for many strings at once, as a key has many lines and each is written in many ways. One pass over the text
// compares four characters with the beginnings of all of them; those that begin alike, as tokens of one service do,
// are looked up by their length. So the time does not grow with their number.

export interface Place {
  start: number;
  end: number;
}

const beginning = 4;
const bits = 16;
const mask = (1 << bits) - 1;

/** The places of any of the strings, in order, those that overlap made one. Shorter than four characters are left out. */
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

/** Of four characters: each is moved out by the fourth after it. */
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
