import { setTimeout as delay } from 'node:timers/promises';

export interface RateLimitOptions {
  burst: number;
  perMinute: number;
}

/** Lets a burst pass, then `perMinute` requests. A caller that is too early waits; it is not rejected. */
export function createRateLimit(
  { burst, perMinute }: RateLimitOptions,
  signal: AbortSignal,
  now = () => performance.now(),
) {
  const msEach = 60_000 / perMinute;
  // When the next request would be due if requests came at an even rate. It lies up to one burst in the past.
  let due = now() - burst * msEach;
  return async (): Promise<void> => {
    const earliest = now() - burst * msEach;
    due = Math.max(due, earliest) + msEach;
    const waitMs = due - now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
  };
}
