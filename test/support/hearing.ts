/** What must be true of everything that people said to an operation, by its record and by the table. */
import type { Event, Message } from '@fettle/contract';

export interface Heard {
  text: string;
  turn: number | null;
}

/** The faults, each as a sentence: whatever was seen was told in one turn, in its order, and its words are in it. */
export function findHearingFaults(events: Event[], messages: Message[]): string[] {
  const faults: string[] = [];
  const turns = new Map<number, Set<number>>();
  const told = new Map<number, string>();
  for (const event of events) {
    if (event.type !== 'turn.started') continue;
    // A turn that was begun anew says the same again, and maybe more.
    told.set(event.turn, event.told ?? '');
    for (const number of event.messages ?? [])
      turns.set(number, (turns.get(number) ?? new Set()).add(event.turn));
  }
  let last = 0;
  for (const { number, text, seenInTurn } of messages) {
    const [turn, ...others] = turns.get(number) ?? [];
    if (others.length > 0) faults.push(`message ${number} was told in turns ${turn}, ${others.join(', ')}`);
    if ((turn ?? null) !== seenInTurn)
      faults.push(`message ${number} was told in turn ${turn} and counts as seen in ${seenInTurn}`);
    if (turn === undefined) continue;
    if (turn < last) faults.push(`message ${number} was told before an earlier one`);
    last = turn;
    const times = (told.get(turn) ?? '').split(text).length - 1;
    if (times !== 1) faults.push(`the words of message ${number} are ${times} times in turn ${turn}`);
  }
  const said = events.flatMap((event) => (event.type === 'message.said' ? [event.message.number] : []));
  const numbers = messages.map(({ number }) => number);
  if (said.join() !== numbers.join())
    faults.push(`the record tells of ${said.join() || 'none'}, the table of ${numbers.join() || 'none'}`);
  return faults;
}
