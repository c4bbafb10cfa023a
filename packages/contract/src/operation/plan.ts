/** What an agent means to do, before it may do it. */
import { z } from 'zod';
import { line, pathInside, prose } from './request.ts';

export const planSchema = z.strictObject({
  tasks: z.array(prose(1_000)).min(1).max(50).describe('What will be done, in this order'),
  files: z
    .array(line(500).refine(...pathInside))
    .max(100)
    .describe('What will be changed or made'),
  risks: z.array(prose(1_000)).max(20).describe('What could go wrong, or has to be known'),
  estimate: prose(500).describe('How large it is: lines, turns, time'),
});
export type Plan = z.infer<typeof planSchema>;

export const decisionSchema = z.enum(['approve', 'change', 'cancel']);
export type Decision = z.infer<typeof decisionSchema>;

/** The version guards against a decision about a plan that was another one when it was read. */
export const planDecisionSchema = z
  .strictObject({
    version: z.int().positive().max(1_000_000),
    decision: decisionSchema,
    message: prose(10_000).optional(),
  })
  .refine(({ decision, message }) => decision !== 'change' || message !== undefined, {
    path: ['message'],
    message: 'must say what is to be changed',
  });
export type PlanDecision = z.infer<typeof planDecisionSchema>;

/** A plan as it stands, and what was decided about it. */
export const planStatusSchema = z.object({
  version: z.int().positive(),
  plan: planSchema,
  proposedAt: z.iso.datetime(),
  decision: decisionSchema.nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  message: z.string().nullable().describe('What the person said with the decision'),
});
export type PlanStatus = z.infer<typeof planStatusSchema>;
