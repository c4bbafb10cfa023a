/** Repeats a write while Redis temporarily refuses writes. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { NotResyncedError } from './event-stream.ts';

/** Error replies of a Redis that cannot write now but may later: full disk, loading, out of memory, too few replicas. */
const temporary = /^(MISCONF|LOADING|READONLY|OOM|BUSY|TRYAGAIN|NOREPLICAS|MASTERDOWN|CLUSTERDOWN)\b/;
const backoff = { firstMs: 100, longestMs: 5_000 };

export interface RetryOptions {
  signal: AbortSignal;
  /** How long to wait for a Redis that refuses writes. */
  timeoutMs: number;
  /** How long to wait for the api to resync a restarted Redis. Until then, appends are refused. */
  resyncTimeoutMs: number;
}

export async function retryWhileUnwritable<T>(
  write: () => Promise<T>,
  { signal, timeoutMs, resyncTimeoutMs }: RetryOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const isNotResynced = error instanceof NotResyncedError;
      const limitMs = isNotResynced ? resyncTimeoutMs : timeoutMs;
      const isTemporary = isNotResynced || temporary.test((error as Error).message);
      if (!isTemporary || performance.now() - startedAt > limitMs) throw error;
      await delay(backoffMs(tries, backoff), undefined, { signal });
    }
  }
}
