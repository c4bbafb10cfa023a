import type { Said } from '@fettle/contract';

/** Whose it is, and what it counts. */
const spoken = 'whose word counts like the request itself, says:';

/** What is said before a turn: Fettle's own words, then those of people in the order in which they came. */
export function joinWords(told: string | undefined, said: Said[]): string | undefined {
  const words = said.map(({ by, text }) => `${by}, ${spoken}\n\n${text}`);
  if (told !== undefined) words.unshift(told);
  return words.length > 0 ? words.join('\n\n') : undefined;
}
