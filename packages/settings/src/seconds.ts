import { z } from 'zod';

/** A timer that is set for more than 2^31 milliseconds goes off at once. */
const MOST = 2_000_000;

/** A span of time that something is timed by, about 23 days at most. */
export function seconds(value: number, what: string, least = 1) {
  return z.coerce
    .number()
    .int()
    .min(least)
    .max(MOST)
    .default(value)
    .describe(`${what}; seconds, for example ${value}`);
}
