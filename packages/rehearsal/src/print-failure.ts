import type { Failure } from './journal.ts';

const MAX_MESSAGE_LENGTH = 4_000;

/** Loud on purpose: a rehearsal that leaves its record is a failed test, whoever swallows the status. */
export function printFailure({ conversation, turn, reason, lastMessages }: Failure): void {
  const messages = lastMessages.map((message) => `  ${shorten(JSON.stringify(message))}\n`).join('');
  process.stderr.write(
    `rehearsal ${conversation ?? '(none)'}, turn ${turn}: ${reason}\nlast messages of the request:\n${messages}`,
  );
}

function shorten(text: string): string {
  const left = text.length - MAX_MESSAGE_LENGTH;
  return left > 0 ? `${text.slice(0, MAX_MESSAGE_LENGTH)}… (${left} more)` : text;
}
