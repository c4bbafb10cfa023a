/** Fences untrusted text as data. The fence is longer than any run of backticks in the text, so the text cannot close it. */
export function fence(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
