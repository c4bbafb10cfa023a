import type { Conversation, Fault, Turn } from './conversation.ts';

export type FaultQueue = { next(conversation: Conversation, turn: Turn, number: number): Fault | undefined };

/** Each request for a turn uses up one of its faults; then the answer comes. The only memory a turn has. */
export function createFaultQueue(): FaultQueue {
  const used = new Map<string, number>();
  return {
    next(conversation, turn, number) {
      const key = JSON.stringify([conversation.name, number]);
      const count = used.get(key) ?? 0;
      const fault = turn.faults?.[count];
      if (fault) used.set(key, count + 1);
      return fault;
    },
  };
}
