import type { Event } from '@fettle/contract';

const keptEvents = 500;
const keptOperations = 1_000;
/** For all operations together. One tool call can print 60,000 characters. */
const defaultMaxCharacters = 50_000_000;

export type EventTail = ReturnType<typeof createEventTail>;

/** Keeps the newest stored events of each operation in memory, so that a thousand followers cost one read. */
export function createEventTail({ maxCharacters = defaultMaxCharacters } = {}) {
  const tails = new Map<string, Event[]>();
  const sizes = new WeakMap<Event, number>();
  const waiting = new Map<string, Set<() => void>>();
  let characters = 0;

  const sizeOf = (events: Event[]) => events.reduce((sum, event) => sum + (sizes.get(event) ?? 0), 0);

  function drop(tail: Event[], count: number): void {
    characters -= sizeOf(tail.splice(0, count));
  }

  /** Followers read dropped events from the database. The newest event stays, because `wait` compares with it. */
  function makeRoom(): void {
    for (const [operationId, tail] of tails) {
      if (tails.size <= keptOperations) break;
      drop(tail, tail.length);
      tails.delete(operationId);
    }
    for (const tail of tails.values()) while (characters > maxCharacters && tail.length > 1) drop(tail, 1);
  }

  return {
    /** Ignores events that were published before. A gap starts a new tail. */
    publish(operationId: string, events: Event[]): void {
      const known = tails.get(operationId) ?? [];
      const newest = known.at(-1)?.position ?? 0;
      const fresh = events.filter(({ position }) => position > newest);
      const [first] = fresh;
      if (!first) return;
      for (const event of fresh) sizes.set(event, JSON.stringify(event).length);
      const tail = [...(first.position === newest + 1 ? known : []), ...fresh].slice(-keptEvents);
      characters += sizeOf(tail) - sizeOf(known);
      tails.delete(operationId);
      tails.set(operationId, tail);
      makeRoom();
      for (const wake of waiting.get(operationId) ?? []) wake();
      waiting.delete(operationId);
    },

    /** Returns the events after a position, or undefined if the tail does not reach back that far. */
    after(operationId: string, position: number): Event[] | undefined {
      const tail = tails.get(operationId);
      const first = tail?.[0];
      if (!tail || !first || first.position > position + 1) return undefined;
      return tail.slice(position + 1 - first.position);
    },

    /** Resolves when there is an event after the position, or when the signal is aborted. */
    async wait(operationId: string, position: number, signal: AbortSignal): Promise<void> {
      const newest = tails.get(operationId)?.at(-1)?.position ?? 0;
      if (signal.aborted || newest > position) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const wakers = waiting.get(operationId) ?? new Set();
      waiting.set(operationId, wakers.add(wake));
      signal.addEventListener('abort', wake);
      await promise;
      signal.removeEventListener('abort', wake);
      wakers.delete(wake);
      if (wakers.size === 0 && waiting.get(operationId) === wakers) waiting.delete(operationId);
    },
  };
}
