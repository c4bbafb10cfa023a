import type { Said } from '@fettle/contract';

const authority = 'whose messages count as much as the request itself, says:';

/** Joins the user message of a turn: first Fettle's own text, then the messages from people in the order they came. */
export function joinMessages(fromFettle: string | undefined, said: Said[]): string | undefined {
  const messages = said.map(({ by, text }) => `${by}, ${authority}\n\n${text}`);
  if (fromFettle !== undefined) messages.unshift(fromFettle);
  return messages.length > 0 ? messages.join('\n\n') : undefined;
}
