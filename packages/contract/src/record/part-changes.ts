/** What an operation had changed after one of its parts, as the api answers it from the stored checkpoints. */
import { z } from 'zod';

const place = {
  part: z.int().positive(),
  checkpoint: z
    .string()
    .nullable()
    .describe('The last checkpoint up to this part; null if nothing was changed'),
  complete: z.boolean().describe('False if a checkpoint is missing, so that there may be more changes'),
};
const file = {
  path: z.string(),
  change: z
    .enum(['added', 'modified', 'written', 'deleted'])
    .describe('written: added or modified; the stored checkpoints do not say which'),
  mode: z.enum(['100644', '100755', '120000']).nullable().describe('Null for a deleted file'),
  bytes: z.int().nullable(),
};
const omitted = z
  .enum(['binary', 'too_large', 'too_different', 'base_not_kept'])
  .optional()
  .describe('Why there is no text');

export const partTreeSchema = z.object({ ...place, files: z.array(z.object(file)) });
export type PartTree = z.infer<typeof partTreeSchema>;

export const partDiffSchema = z.object({
  ...place,
  from: z.enum(['base', 'previous']),
  files: z.array(z.object({ ...file, diff: z.string().nullable(), omitted })),
});
export type PartDiff = z.infer<typeof partDiffSchema>;

export const partFileSchema = z.object({ ...place, ...file, text: z.string().nullable(), omitted });
export type PartFile = z.infer<typeof partFileSchema>;
