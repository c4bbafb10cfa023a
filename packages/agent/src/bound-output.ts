/** Keeps the head and the tail of a long text, and says how much is missing and how to get at it. */
export function boundOutput(text: string, maxCharacters: number, part?: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  const omitted = text.length - 2 * half;
  const how =
    part === undefined
      ? 'ask for less to see them'
      : `read_output {"part": ${part}, "offset": ${half}} shows them`;
  return `${text.slice(0, half)}\n… ${omitted} characters left out here; ${how} …\n${text.slice(-half)}`;
}
