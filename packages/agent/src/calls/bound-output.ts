/** Keeps the head and the tail of a long text, and states how much is missing and how to read it. */
export function boundOutput(text: string, maxCharacters: number, part?: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  const head = cutBeforeToken(text, half);
  const tail = cutBeforeToken(text, text.length - half);
  const how =
    part === undefined
      ? 'request less output to see them'
      : `read_output {"part": ${part}, "offset": ${head}} returns them`;
  return `${text.slice(0, head)}\n… ${tail - head} characters left out here; ${how} …\n${text.slice(tail)}`;
}

const tokenStart = '⟦secret:';
/** Longer than any token. */
const tokenLength = 80;

/** Half a token is useless, so a cut that would go through a token moves in front of it. */
export function cutBeforeToken(text: string, place: number): number {
  const near = text.slice(Math.max(0, place - tokenLength), place + tokenLength);
  const before = Math.min(place, tokenLength);
  const start = near.lastIndexOf(tokenStart, before - 1);
  return start !== -1 && near.indexOf('⟧', start) >= before ? place - before + start : place;
}
