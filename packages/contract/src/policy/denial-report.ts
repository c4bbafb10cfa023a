import { z } from 'zod';
import { denialSchema } from './denial.ts';

export const denialQuerySchema = z.strictObject({
  since: z.iso.datetime().optional().describe('Only what was denied from then on'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
});
export type DenialQuery = z.infer<typeof denialQuerySchema>;

/** What one rule denied of one token, however often. */
export const deniedGroupSchema = z.object({
  ...denialSchema.pick({ kind: true, rule: true, token: true }).shape,
  count: z.int(),
  operations: z.int().describe('In how many operations'),
  lastAt: z.iso.datetime(),
  example: z
    .object({
      operationId: z.string(),
      part: z.int(),
      ...denialSchema.pick({ subject: true, reason: true, instead: true }).shape,
    })
    .describe('The last one'),
});
export type DeniedGroup = z.infer<typeof deniedGroupSchema>;

export const denialReportSchema = z.object({
  since: z.iso.datetime().nullable(),
  total: z.int().describe('Of all denials'),
  groups: z.array(deniedGroupSchema).describe('What was denied most comes first'),
  more: z.boolean(),
});
export type DenialReport = z.infer<typeof denialReportSchema>;
