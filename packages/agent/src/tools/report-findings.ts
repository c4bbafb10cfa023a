import { findingSchema } from '@fettle/contract';
import { z } from 'zod';
import { defineTool } from './tool.ts';

export const findingsSchema = z.strictObject({ findings: z.array(findingSchema).max(50) });

/** Ends a review. The worker reads the findings from the input of the call. */
export const reportFindings = defineTool({
  name: 'report_findings',
  description:
    'Ends the review and reports the findings, most severe first. Report an empty list if there are none.',
  effect: 'reads',
  paths: 'none',
  tokens: 'stay',
  input: findingsSchema,
  async run({ findings }) {
    return { output: `${(findings as unknown[]).length} findings recorded.` };
  },
});
