import { z } from 'zod';
import { checkReportSchema } from './check-report.ts';

export const checkNames = ['setup', 'typecheck', 'lint', 'test', 'build', 'format'] as const;
export const checkNameSchema = z.enum(checkNames);
export type CheckName = z.infer<typeof checkNameSchema>;

/** `could_not_run` says nothing about the code: it is neither a success nor a failure of the change. */
const checkStatuses = ['passed', 'failed', 'could_not_run'] as const;
export const checkStatusSchema = z.enum(checkStatuses);
export type CheckStatus = z.infer<typeof checkStatusSchema>;

const obstacleCodes = [
  'missing_program',
  'missing_package',
  'not_downloaded',
  'wrong_version',
  'not_executable',
  'out_of_memory',
  'timeout',
  'killed',
  'no_tests',
  'base_not_read',
  'file_withheld',
  'setup_failed',
] as const;

/** Why a check could not run. */
export const obstacleSchema = z.object({
  code: z.enum(obstacleCodes),
  message: z.string().describe('One sentence for people, with advice where there is any'),
});
export type Obstacle = z.infer<typeof obstacleSchema>;

/** The result of a set-up or verification command, with the end of its output. */
export const checkResultSchema = z.object({
  name: checkNameSchema,
  command: z.string(),
  status: checkStatusSchema,
  obstacle: obstacleSchema.optional().describe('Present if, and only if, the check could not run'),
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  output: z.string(),
  hints: z
    .array(z.string())
    .optional()
    .describe('What the sandbox lacks, if the check failed for want of it'),
  report: checkReportSchema.optional().describe('Absent if the output was not recognised'),
});
export type CheckResult = z.infer<typeof checkResultSchema>;
