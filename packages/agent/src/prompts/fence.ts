/** Marks text from outside, so that it reads as data, by a fence that the text itself cannot close. */
export function fence(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
