import type { EventBody, Said } from '@fettle/contract';

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Tracks which messages from people the agent has seen. It asks the api only when there may be new ones, so a turn
 * without messages costs no request.
 */
export function createInbox() {
  let delivered = 0;
  let sent = 0;
  let isNotified = false;
  return {
    /** A signal said that there is a new message. */
    notify(): void {
      isNotified = true;
    },
    /** How many messages there are, according to the api. */
    expect(count: number): void {
      sent = Math.max(sent, count);
    },
    /** Only a turn on record makes its messages count as delivered. */
    observe(events: EventBody[]): void {
      for (const event of events)
        if (event.type === 'turn.started') delivered = Math.max(delivered, ...(event.messages ?? []));
    },
    /** The number of the last delivered message. */
    lastDelivered: () => delivered,
    /** All messages after the last delivered one, in order. */
    async take(read: (after: number) => Promise<Said[]>): Promise<Said[]> {
      if (!isNotified && sent <= delivered) return [];
      isNotified = false;
      const messages = await read(delivered);
      sent = Math.max(sent, messages.at(-1)?.number ?? 0);
      return messages;
    },
  };
}
