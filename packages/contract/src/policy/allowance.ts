/** A secret that an operator allows: a test value, or one that is no longer valid. */
import { z } from 'zod';
import { line, prose } from '../operation/request.ts';

const fingerprint = z
  .string()
  .regex(/^fs1-[0-9a-f]{16}$/, 'must be the fingerprint of a finding, such as fs1-0123456789abcdef')
  .describe('The fingerprint of the rule and the secret, as in findings');
const maxDays = 3_650;

export const allowanceInputSchema = z.strictObject({
  fingerprint,
  reason: prose(500).describe('Why the secret is allowed'),
  days: z.int().positive().max(maxDays).optional().describe('After how many days the allowance expires'),
  repository: line(500).optional().describe('The repository that it applies to. Default: all repositories'),
});
export type AllowanceInput = z.input<typeof allowanceInputSchema>;

/** Which allowance to end: that of one repository, or that for all. */
export const allowanceQuerySchema = z.strictObject({ repository: line(500).optional() });
export const allowanceParamsSchema = z.object({ fingerprint });

export const allowanceSchema = z.object({
  fingerprint: z.string(),
  repository: z.string().nullable().describe('Null for all repositories'),
  reason: z.string(),
  allowedBy: z.string(),
  allowedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
});
export type Allowance = z.infer<typeof allowanceSchema>;
export const allowanceListSchema = z.object({ allowed: z.array(allowanceSchema) });
