/** The message to the agent for a batch of feedback. The same batch has the same text, whenever it is sent. */
import type { Feedback } from '@fettle/database';

const maxLength = 10_000;
const minPart = 200;

export function describeFeedback(batch: Feedback[]): string {
  const parts = batch.flatMap(describe);
  const share = Math.max(minPart, Math.floor(maxLength / Math.max(1, parts.length)) - 2);
  return parts
    .map((part) => (part.length > share ? `${part.slice(0, share - 12)}\n[shortened]` : part))
    .join('\n\n')
    .slice(0, maxLength);
}

function describe({ kind, author, text, items }: Feedback): string[] {
  if (kind === 'check') return [text];
  return [
    ...(text.trim() === '' ? [] : [`${author} wrote:\n${text.trim()}`]),
    ...items.map((item) => {
      const place = item.line === null ? item.path : `${item.path}, line ${item.line}`;
      return `${author} wrote about ${place}:\n${item.text.trim()}`;
    }),
  ];
}
