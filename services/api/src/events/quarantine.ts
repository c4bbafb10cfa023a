import type { Log } from '@fettle/log';

const longestPauseMs = 60_000;

/**
 * Operations whose events cannot be stored, for a reason of their own: said once, and tried again with growing
 * pauses, while all others are stored as ever. Their events stay in Redis.
 */
export function createSetAside(log: Log, now = () => performance.now()) {
  const held = new Map<string, { failures: number; message: string; againAt: number }>();
  return {
    isDue: (operationId: string) => now() >= (held.get(operationId)?.againAt ?? 0),
    failed(operationId: string, error: Error): void {
      const before = held.get(operationId);
      const failures = (before?.failures ?? 0) + 1;
      const { message } = error;
      held.set(operationId, {
        ...{ failures, message },
        againAt: now() + Math.min(250 * 2 ** failures, longestPauseMs),
      });
      if (message !== before?.message)
        log.error(
          { operationId, err: error },
          'events of an operation cannot be stored; they stay in Redis, and the others go on',
        );
    },
    stored(operationId: string): void {
      if (held.delete(operationId)) log.warn({ operationId }, 'over: its events are stored');
    },
    /** Forgets all others: they have nothing to be stored any more. */
    keep(operationIds: Set<string>): void {
      for (const id of held.keys()) if (!operationIds.has(id)) held.delete(id);
    },
    count: () => held.size,
  };
}
