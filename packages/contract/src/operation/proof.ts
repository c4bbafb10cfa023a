/** What was proven about a proposal, and how. Only checks of its commit in a fresh sandbox count. */
import { z } from 'zod';
import { checkFailureSchema, maxFailuresKept } from '../record/check-report.ts';
import { checkNameSchema, obstacleSchema } from '../record/check-result.ts';

const proofStatuses = ['proven', 'partly proven', 'unproven'] as const;
export const proofStatusSchema = z.enum(proofStatuses);
export type ProofStatus = z.infer<typeof proofStatusSchema>;

const ranSchema = z.object({
  name: checkNameSchema,
  command: z.string(),
  durationMs: z.number(),
  tests: z
    .object({ passed: z.int(), failed: z.int(), skipped: z.int() })
    .optional()
    .describe('Absent if the tool counts no tests'),
});

const failures = z.array(checkFailureSchema).max(maxFailuresKept);
const failedSchema = ranSchema.extend({
  failures,
  hints: z.array(z.string()).optional().describe('What the sandbox lacks, as far as its output shows that'),
});

/** A test, by its file and its name; without a name, all tests of the file. */
const testRefSchema = z.object({ file: z.string().optional(), name: z.string().optional() });
export type TestRef = z.infer<typeof testRefSchema>;

/** The tests of the change, run against the sources of the base commit. */
export const faultEvidenceSchema = z.object({
  status: z
    .enum(['shown', 'weak', 'none', 'off', 'could_not_run'])
    .describe(
      'shown: a test fails before and passes after; weak: a test cannot load before, or the output does not name it afterwards; none: no test shows the fault',
    ),
  message: z.string().optional().describe('Why the evidence is missing or weak'),
  failsBefore: z.array(testRefSchema).describe('Tests that fail before the change and pass after it'),
  passesBefore: z.array(testRefSchema).describe('Tests of the change that pass before and after it'),
  cannotLoad: z
    .array(z.object({ file: z.string(), message: z.string() }))
    .describe('Test files that do not even load before the change: weaker evidence than a failed assertion'),
});
export type FaultEvidence = z.infer<typeof faultEvidenceSchema>;

export const evidenceSchema = z.object({
  passed: z.array(ranSchema).describe('Passed in the fresh sandbox'),
  redBefore: z.array(failedSchema).describe('Failed with the same failures, by name, on the base commit'),
  failed: z.array(failedSchema).describe('Failed, with failures that the base does not have'),
  couldNotRun: z.array(z.object({ name: checkNameSchema, command: z.string(), obstacle: obstacleSchema })),
  doubts: z
    .array(z.string())
    .describe('Why passed checks prove less than they seem to, for example a change of the check itself'),
  fault: faultEvidenceSchema.optional().describe('Absent for requests that fix no fault'),
});
export type Evidence = z.infer<typeof evidenceSchema>;
