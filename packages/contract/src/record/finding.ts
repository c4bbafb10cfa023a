import { z } from 'zod';

/** A problem that a review found in a change. */
export const findingSchema = z.strictObject({
  severity: z
    .enum(['blocking', 'important', 'minor'])
    .describe('blocking: wrong, unsafe, or not what was requested; must not be merged'),
  file: z.string().min(1).max(1_000).optional(),
  line: z.int().positive().optional(),
  what: z.string().trim().min(1).max(2_000).describe('What is wrong, in one or two sentences'),
  why: z.string().trim().min(1).max(2_000).describe('Why it matters: what happens because of it'),
});
export type Finding = z.infer<typeof findingSchema>;

/** `file:line` or `file`. Undefined for a finding about the whole change. */
export function placeOf({ file, line }: Pick<Finding, 'file' | 'line'>): string | undefined {
  return file !== undefined && line !== undefined ? `${file}:${line}` : file;
}
