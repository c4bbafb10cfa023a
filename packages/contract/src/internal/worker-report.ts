/** What a worker says of itself every few seconds, and what people see of it. */
import { z } from 'zod';

const name = z.string().min(1).max(200);
const problem = z.string().min(1).max(500);
const count = z.int().min(0).max(100_000);

export const workerReportSchema = z.strictObject({
  name,
  problems: z.array(problem).max(10).describe('Why it takes no more operations; empty if it takes them'),
  concurrency: count.describe('How many operations it runs at the same time'),
  running: count.describe('How many it runs now'),
});
export type WorkerReport = z.infer<typeof workerReportSchema>;

export const workerSchema = workerReportSchema.extend({
  canWork: z.boolean(),
  seenAt: z.iso.datetime().describe('When it last reported'),
});
export type WorkerStatus = z.infer<typeof workerSchema>;

export const workerListSchema = z.object({ workers: z.array(workerSchema) });
