import { z } from 'zod';

export const maxFailuresKept = 100;

/** One thing that a check found wrong: a test that failed, or a rule that was broken. */
export const checkFailureSchema = z.object({
  file: z.string().optional().describe('From the top of the repository'),
  line: z.int().optional(),
  column: z.int().optional(),
  name: z.string().optional().describe('Of the test'),
  rule: z.string().optional().describe('Of a compiler or linter, for example TS2322'),
  message: z.string(),
});
export type CheckFailure = z.infer<typeof checkFailureSchema>;

/** What a check printed, as far as it was recognised. */
export const checkReportSchema = z.object({
  tool: z.string().describe('Whose output it is; several with a comma between them'),
  passed: z.int().optional().describe('Absent where a tool only counts what is wrong'),
  failed: z.int(),
  skipped: z.int().optional(),
  failures: z.array(checkFailureSchema).max(maxFailuresKept).describe('The first of those that failed'),
});
export type CheckReport = z.infer<typeof checkReportSchema>;
