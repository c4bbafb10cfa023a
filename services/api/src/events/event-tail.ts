import type { Event } from '@fettle/contract';

const keptEvents = 500;
const keptOperations = 1_000;
/** Of all operations together: a tool may say 60,000 characters at each of its calls. */
const mostCharacters = 50_000_000;

export type EventTail = ReturnType<typeof createEventTail>;

/** The newest stored events of each operation, in memory, so that a thousand followers cost one read. */
export function createEventTail({ keptCharacters = mostCharacters } = {}) {
  const tails = new Map<string, Event[]>();
  const sizes = new WeakMap<Event, number>();
  const waiting = new Map<string, Set<() => void>>();
  let characters = 0;

  const sizeOf = (events: Event[]) => events.reduce((sum, event) => sum + (sizes.get(event) ?? 0), 0);

  function drop(tail: Event[], count: number): void {
    characters -= sizeOf(tail.splice(0, count));
  }

  /** Who follows what is left out here reads it from the database. The newest event stays: whoever waits goes by it. */
  function makeRoom(): void {
    for (const [operationId, tail] of tails) {
      if (tails.size <= keptOperations) break;
      drop(tail, tail.length);
      tails.delete(operationId);
    }
    for (const tail of tails.values()) while (characters > keptCharacters && tail.length > 1) drop(tail, 1);
  }

  return {
    /** What was published before is left out; what does not follow on it starts a new tail. */
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

    /** What follows a position, or undefined when the tail does not reach back that far. */
    after(operationId: string, position: number): Event[] | undefined {
      const tail = tails.get(operationId);
      const first = tail?.[0];
      if (!tail || !first || first.position > position + 1) return undefined;
      return tail.slice(position + 1 - first.position);
    },

    /** Resolves when there is something after the position, or when the signal says so. */
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
