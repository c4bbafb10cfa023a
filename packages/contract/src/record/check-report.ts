import { z } from 'zod';

export const maxFailuresKept = 100;

/** One problem that a check reported: a failed test, or a violated rule. */
export const checkFailureSchema = z.object({
  file: z.string().optional().describe('Relative to the root of the repository'),
  line: z.int().optional(),
  column: z.int().optional(),
  name: z.string().optional().describe('The name of the test'),
  rule: z.string().optional().describe('The rule of a compiler or linter, for example TS2322'),
  message: z.string(),
});
export type CheckFailure = z.infer<typeof checkFailureSchema>;

/** The output of a check, as far as it was recognised. */
export const checkReportSchema = z.object({
  tool: z.string().describe('The tool that printed the output; several are separated by commas'),
  passed: z.int().optional().describe('Absent if the tool counts only problems'),
  failed: z.int(),
  skipped: z.int().optional(),
  failures: z.array(checkFailureSchema).max(maxFailuresKept).describe('The first failures'),
});
export type CheckReport = z.infer<typeof checkReportSchema>;
