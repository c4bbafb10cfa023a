/** A secret that an operator lets pass: a value for tests, or one that opens nothing any more. */
import { z } from 'zod';
import { line, prose } from '../operation/request.ts';

const fingerprint = z
  .string()
  .regex(/^fs1-[0-9a-f]{16}$/, 'must be the fingerprint of a finding, such as fs1-0123456789abcdef')
  .describe('Of the rule and the secret, as findings name it');
const mostDays = 3_650;

export const allowanceInputSchema = z.strictObject({
  fingerprint,
  reason: prose(500).describe('Why it may pass'),
  days: z.int().positive().max(mostDays).optional().describe('After how many days it counts no more'),
  repository: line(500).optional().describe('The one repository it is for; without it, all of them'),
});
export type AllowanceInput = z.input<typeof allowanceInputSchema>;

/** The one that is to end: for one repository, or for all. */
export const allowanceQuerySchema = z.strictObject({ repository: line(500).optional() });
export const allowanceParamsSchema = z.object({ fingerprint });

export const allowanceSchema = z.object({
  fingerprint: z.string(),
  repository: z.string().nullable().describe('None where it is for all'),
  reason: z.string(),
  allowedBy: z.string(),
  allowedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
});
export type Allowance = z.infer<typeof allowanceSchema>;
export const allowanceListSchema = z.object({ allowed: z.array(allowanceSchema) });
