/** Path parameters and headers that several routes share. */
import { z } from 'zod';

export const idParams = z.object({ id: z.string().regex(/^[\w-]{1,100}$/, 'is not an id') });

export const keyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters')
    .optional(),
});

/**
 * How long a request waits for Redis to signal a worker or remove a job. Neither is required: the next heartbeat tells the
 * worker as well, and a worker that takes a stale job finds nothing to claim.
 */
export const signalTimeoutMs = 1_000;

/** Routes for workers concern one operation, and the public description of the API does not list them. */
export const forWorkers = <Schema extends object>(schema: Schema) => ({
  schema: { hide: true, params: idParams, ...schema },
});
