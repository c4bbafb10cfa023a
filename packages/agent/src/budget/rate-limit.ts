import { setTimeout as delay } from 'node:timers/promises';

export interface PaceOptions {
  burst: number;
  perMinute: number;
}

/** Lets a burst through, then so many a minute; who comes too early waits for a place and is not refused. */
export function createPace(
  { burst, perMinute }: PaceOptions,
  signal: AbortSignal,
  now = () => performance.now(),
) {
  const msEach = 60_000 / perMinute;
  // The moment at which the next place would be due if the burst had been used up evenly.
  let due = now() - burst * msEach;
  return async (): Promise<void> => {
    const earliest = now() - burst * msEach;
    due = Math.max(due, earliest) + msEach;
    const waitMs = due - now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
  };
}
