/** Both engines show a line without its line end and cut at the same place. */
export function cutLine(text: string, maxLength: number): string {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text;
  return line.length > maxLength ? line.slice(0, maxLength).toWellFormed() : line;
}
