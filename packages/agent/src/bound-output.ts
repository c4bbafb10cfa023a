/** Keeps the head and the tail of a long text and says how much is missing. */
export function boundOutput(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  const omitted = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${omitted} characters left out here; ask for less to see them …\n${text.slice(-half)}`;
}
