import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** Doubles from half a second up to a minute, with jitter; what the service asks for is honoured within that. */
export function pauseBeforeRetry(retry: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return Math.min(Math.max(retryAfterSeconds * 1000, 0), longestPauseMs);
  const pause = Math.min(firstPauseMs * 2 ** (retry - 1), longestPauseMs);
  return Math.round(pause * (0.5 + Math.random() / 2));
}

export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
