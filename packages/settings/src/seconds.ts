import { z } from 'zod';

/** A timer of more than 2^31 milliseconds fires at once. */
const maxSeconds = 2_000_000;

/** The schema of a timeout or interval, at most about 23 days. */
export function seconds(value: number, what: string, least = 1) {
  return z.coerce
    .number()
    .int()
    .min(least)
    .max(maxSeconds)
    .default(value)
    .describe(`${what}; seconds, for example ${value}`);
}
