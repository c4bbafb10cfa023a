/** An agent's plan, which a person approves before the agent starts its work. */
import { z } from 'zod';
import { line, pathInside, prose } from './request.ts';

export const planSchema = z.strictObject({
  tasks: z.array(prose(1_000)).min(1).max(50).describe('The steps, in order'),
  files: z
    .array(line(500).refine(...pathInside))
    .max(100)
    .describe('The files that will be changed or created'),
  risks: z.array(prose(1_000)).max(20).describe('What could go wrong, or what reviewers should know'),
  estimate: prose(500).describe('The size of the change: lines, turns, time'),
});
export type Plan = z.infer<typeof planSchema>;

export const decisionSchema = z.enum(['approve', 'change', 'cancel']);
export type Decision = z.infer<typeof decisionSchema>;

/** The version prevents a decision about a plan that was replaced after it was read. */
export const planDecisionSchema = z
  .strictObject({
    version: z.int().positive().max(1_000_000),
    decision: decisionSchema,
    message: prose(10_000).optional(),
  })
  .refine(({ decision, message }) => decision !== 'change' || message !== undefined, {
    path: ['message'],
    message: 'must say what to change',
  });
export type PlanDecision = z.infer<typeof planDecisionSchema>;

/** A plan and the decision about it. */
export const planStatusSchema = z.object({
  version: z.int().positive(),
  plan: planSchema,
  proposedAt: z.iso.datetime(),
  decision: decisionSchema.nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  message: z.string().nullable().describe('The message of the person who decided'),
});
export type PlanStatus = z.infer<typeof planStatusSchema>;
