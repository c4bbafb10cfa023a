import { backoffMs } from '@fettle/backoff';
import type { Log } from '@fettle/log';

const backoff = { firstMs: 250, longestMs: 60_000 };

/**
 * Operations whose events cannot be stored because of the events themselves. Each is logged once and retried with growing
 * pauses; the events of other operations are stored as usual. Quarantined events stay in Redis.
 */
export function createQuarantine(log: Log, now = () => performance.now()) {
  const held = new Map<string, { failures: number; message: string; retryAt: number }>();
  return {
    isDue: (operationId: string) => now() >= (held.get(operationId)?.retryAt ?? 0),
    failed(operationId: string, error: Error): void {
      const before = held.get(operationId);
      const failures = (before?.failures ?? 0) + 1;
      const { message } = error;
      held.set(operationId, { failures, message, retryAt: now() + backoffMs(failures, backoff) });
      if (message !== before?.message)
        log.error(
          { operationId, err: error },
          'events of an operation cannot be stored; they stay in Redis, other operations continue',
        );
    },
    stored(operationId: string): void {
      if (held.delete(operationId))
        log.warn({ operationId }, 'resolved: the events of the operation are stored');
    },
    /** Removes operations that have no unstored events any more. */
    keepOnly(operationIds: Set<string>): void {
      for (const id of held.keys()) if (!operationIds.has(id)) held.delete(id);
    },
    count: () => held.size,
  };
}
