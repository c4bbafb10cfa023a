import { isSettled, type Message, type Said, type State } from '@fettle/contract';
import { harmless } from './harmless.ts';
import { cyan, dim, type Line } from './line.ts';
import { showClock } from './text/local-time.ts';
import { wrapText } from './text/text-width.ts';

/** A message of a user. */
export function describeSaid({ number, by, text }: Said, width: number): Line[] {
  const lines = wrapText(harmless(`${by}: ${text}`), width - 4);
  return lines.map((line, index) => [
    cyan(index === 0 ? '  » ' : '    '),
    line,
    index === lines.length - 1 ? dim(`  (message ${number})`) : '',
  ]);
}

/** A message with the time when the agent saw it, or that it never will. */
export function describeMessage(message: Message, { state, width }: { state: State; width: number }): Line[] {
  const { saidAt, seenAt, seenInTurn } = message;
  const unseen = isSettled(state) ? 'never seen: the operation ended first' : 'not seen yet';
  const seen = seenAt === null ? unseen : `seen at ${showClock(seenAt)}, in turn ${seenInTurn}`;
  return [...describeSaid(message, width), [dim(`    sent at ${showClock(saidAt)}, ${seen}`)]];
}
