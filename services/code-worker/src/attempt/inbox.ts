import type { EventBody, Said } from '@fettle/contract';

export type Mailbox = ReturnType<typeof createMailbox>;

/**
 * Knows how far the agent has heard, by the record, and whether there may be more: the api is asked only then, so that
 * a turn to which nobody has anything to say costs nothing.
 */
export function createMailbox() {
  let heard = 0;
  let sent = 0;
  let rung = false;
  return {
    /** Somebody says that there is a message. */
    ring(): void {
      rung = true;
    },
    /** How many there are, by the api. */
    expect(count: number): void {
      sent = Math.max(sent, count);
    },
    /** What is on record counts as heard, and nothing else does. */
    note(events: EventBody[]): void {
      for (const event of events)
        if (event.type === 'turn.started') heard = Math.max(heard, ...(event.messages ?? []));
    },
    heard: () => heard,
    /** Everything after what was heard, in its order. */
    async take(read: (after: number) => Promise<Said[]>): Promise<Said[]> {
      if (!rung && sent <= heard) return [];
      rung = false;
      const said = await read(heard);
      sent = Math.max(sent, said.at(-1)?.number ?? 0);
      return said;
    },
  };
}
