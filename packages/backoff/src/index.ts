export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** The pause before try `tries + 1`, where `tries` counts the failed ones from 0: doubled each time, with jitter of one half. */
export function backoffMs(tries: number, { firstMs, longestMs }: Backoff): number {
  return withJitter(Math.min(firstMs * 2 ** Math.min(tries, 30), longestMs));
}

/** Between half and all of a pause, so that clients that failed together do not retry together. */
export function withJitter(pauseMs: number): number {
  return Math.round(pauseMs * (0.5 + Math.random() / 2));
}
