import { z } from 'zod';
import { denialSchema } from '../policy/denial.ts';
import { totalsSchema } from './budgets.ts';
import { outcomeSchema } from './outcome.ts';
import { kindSchema, line, prioritySchema, requestSchema } from './request.ts';
import { stateSchema } from './states.ts';

/** An operation as the public API shows it. */
export const operationSchema = z.object({
  id: z.string(),
  state: stateSchema,
  kind: kindSchema,
  priority: prioritySchema,
  request: requestSchema,
  repository: z.string(),
  requestedBy: z.string(),
  attempts: z.int(),
  revision: z
    .int()
    .default(1)
    .describe('1 for the first proposal, and one more each time that changes to it are requested'),
  totals: totalsSchema,
  outcome: outcomeSchema.nullable(),
  createdAt: z.iso.datetime(),
  stateSince: z.iso.datetime(),
  waitsFor: z.string().nullable().describe('What the operation waits for, if it waits'),
  settledAt: z.iso.datetime().nullable(),
});
export type Operation = z.infer<typeof operationSchema>;

/** An operation with its current activity and history. */
export const operationDetailSchema = operationSchema.extend({
  activity: z.string().describe('The current activity, in one line'),
  model: z
    .string()
    .nullable()
    .default(null)
    .describe('The model of the newest attempt. Null before it has begun, and in older records'),
  history: z
    .array(z.object({ state: stateSchema, since: z.iso.datetime(), seconds: z.number() }))
    .describe('Every state of the operation so far, and how long it lasted'),
  endedRevisions: z
    .array(z.object({ revision: z.int(), outcome: outcomeSchema }))
    .optional()
    .describe('Revisions that ended without a new commit, and why'),
  denials: z
    .array(denialSchema.extend({ part: z.int() }))
    .optional()
    .describe('What the policy denied, newest first, at most 100'),
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
  id: z
    .string()
    .regex(/^[a-z0-9_]{1,100}$/, 'must be part of an id: lower-case letters, digits and _')
    .optional()
    .describe('The beginning of the id, with or without op_, or its end'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type OperationFilter = z.infer<typeof operationFilterSchema>;

/** The content of a job in the queue: ids, never content and never credentials. */
export const jobSchema = z.strictObject({ operationId: z.string() });
export type Job = z.infer<typeof jobSchema>;

/** A request for a job. There is one job per attempt, however often it is requested. */
export const jobOrderSchema = z.object({
  operationId: z.string(),
  priority: prioritySchema,
  attempt: z.int().positive(),
  notBefore: z.iso.datetime().nullable(),
});
export type JobOrder = z.infer<typeof jobOrderSchema>;
