/** Decodes escaped or split text together with its context: a name before an equals sign, the rest of a token. */
import type { DerivedTextBuilder } from './derived-text.ts';
import { readings } from './readings.ts';

const before = 200;
const after = 300;

interface Place {
  start: number;
  end: number;
  plain: string;
}

export function addWrittenOtherwise(text: string, derived: DerivedTextBuilder): void {
  let done = -1;
  for (const { start, end, plain } of listPlaces(text)) {
    if (start < done) continue;
    if (done === -1 || isApart(text, done, start)) {
      if (done !== -1) derived.keep(done, lineEnd(text, done));
      derived.separate();
      derived.keep(lineStart(text, start), start);
    } else derived.keep(done, start);
    derived.put(plain, start, end);
    done = end;
  }
  if (done !== -1) derived.keep(done, lineEnd(text, done));
}

/** In text order. */
function listPlaces(text: string): Place[] {
  const places: Place[] = [];
  for (const { needs, pattern, read } of readings) {
    if (needs && !needs.test(text)) continue;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text))
      places.push({ start: match.index, end: match.index + match[0].length, plain: read(match) });
  }
  return places.sort((a, b) => a.start - b.start);
}

/** Two places on different lines, or far apart, do not belong together. */
function isApart(text: string, from: number, to: number): boolean {
  return to > from + after || text.slice(from, to).includes('\n');
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - before);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

function lineEnd(text: string, at: number): number {
  const newline = text.slice(at, at + after).indexOf('\n');
  return newline === -1 ? Math.min(text.length, at + after) : at + newline;
}
