/** What must be true of the messages to an operation, by its record and by the table. */
import type { Event, Message } from '@fettle/contract';

export interface DeliveredMessage {
  text: string;
  turn: number | null;
}

/** Returns the faults as sentences. Each seen message is in one turn, in order, and its text is in the user message. */
export function findMessageFaults(events: Event[], messages: Message[]): string[] {
  const faults: string[] = [];
  const turns = new Map<number, Set<number>>();
  const told = new Map<number, string>();
  for (const event of events) {
    if (event.type !== 'turn.started') continue;
    // A repeated turn contains the same messages, and maybe more.
    told.set(event.turn, event.told ?? '');
    for (const number of event.messages ?? [])
      turns.set(number, (turns.get(number) ?? new Set()).add(event.turn));
  }
  let last = 0;
  for (const { number, text, seenInTurn } of messages) {
    const [turn, ...others] = turns.get(number) ?? [];
    if (others.length > 0) faults.push(`message ${number} was in turns ${turn}, ${others.join(', ')}`);
    if ((turn ?? null) !== seenInTurn)
      faults.push(`message ${number} was in turn ${turn} and counts as seen in ${seenInTurn}`);
    if (turn === undefined) continue;
    if (turn < last) faults.push(`message ${number} was delivered before an earlier one`);
    last = turn;
    const times = (told.get(turn) ?? '').split(text).length - 1;
    if (times !== 1) faults.push(`the text of message ${number} is ${times} times in turn ${turn}`);
  }
  const said = events.flatMap((event) => (event.type === 'message.said' ? [event.message.number] : []));
  const numbers = messages.map(({ number }) => number);
  if (said.join() !== numbers.join())
    faults.push(
      `the record has messages ${said.join() || 'none'}, the table has ${numbers.join() || 'none'}`,
    );
  return faults;
}
