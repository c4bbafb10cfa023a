import { z } from 'zod';
import { denialSchema } from '../policy/denial.ts';
import { outcomeSchema } from './outcome.ts';
import { kindSchema, line, prioritySchema, requestSchema } from './request.ts';
import { stateSchema } from './states.ts';
import { totalsSchema } from './totals.ts';

/** An operation as the outside sees it. */
export const operationSchema = z.object({
  id: z.string(),
  state: stateSchema,
  kind: kindSchema,
  priority: prioritySchema,
  request: requestSchema,
  repository: z.string(),
  requestedBy: z.string(),
  attempts: z.int(),
  totals: totalsSchema,
  outcome: outcomeSchema.nullable(),
  createdAt: z.iso.datetime(),
  stateSince: z.iso.datetime(),
  waitsFor: z.string().nullable().describe('What has to happen before it goes on, where it waits'),
  settledAt: z.iso.datetime().nullable(),
});
export type Operation = z.infer<typeof operationSchema>;

/** One operation with what is going on in it. */
export const operationDetailSchema = operationSchema.extend({
  activity: z.string().describe('What is going on, in one line'),
  history: z
    .array(z.object({ state: stateSchema, since: z.iso.datetime(), seconds: z.number() }))
    .describe('Every state that it was in, and for how long'),
  denials: z
    .array(denialSchema.extend({ part: z.int() }))
    .optional()
    .describe('What rules did not let happen, the newest first, at most 100'),
});
export type OperationDetail = z.infer<typeof operationDetailSchema>;

export const operationListSchema = z.object({
  operations: z.array(operationSchema),
  nextCursor: z.string().nullable(),
});
export type OperationList = z.infer<typeof operationListSchema>;

export const operationFilterSchema = z.strictObject({
  state: stateSchema.optional(),
  kind: kindSchema.optional(),
  repository: line(1_000).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type OperationFilter = z.infer<typeof operationFilterSchema>;

/** What travels through the queue: names, never content and never a credential. */
export const jobSchema = z.strictObject({ operationId: z.string() });
export type Job = z.infer<typeof jobSchema>;

/** What the queue is told: one job for each attempt, however often it is told. */
export const jobOrderSchema = z.object({
  operationId: z.string(),
  priority: prioritySchema,
  attempt: z.int().positive(),
  notBefore: z.iso.datetime().nullable(),
});
export type JobOrder = z.infer<typeof jobOrderSchema>;
