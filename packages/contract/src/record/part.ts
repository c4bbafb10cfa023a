import { z } from 'zod';
import { commandRemarkSchema, denialSchema } from '../policy/denial.ts';

/** Who else than the agent that does the work has turns of its own. */
export const agentSchema = z.enum(['reviewer']);
export type Agent = z.infer<typeof agentSchema>;
export const by = agentSchema.optional().describe('Whose it is, where not the agent’s that does the work');

const place = { number: z.int().positive(), turn: z.int().positive(), by };

/** One file that a part changed. */
export const changedFileSchema = z.object({
  path: z.string(),
  change: z.enum(['written', 'deleted']),
  blob: z.string().optional().describe('Git’s hash of what stands in it now'),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

export const startedToolPartSchema = z.object({
  ...place,
  kind: z.literal('tool'),
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
});
export type StartedToolPart = z.infer<typeof startedToolPartSchema>;

export const finishedToolPartSchema = startedToolPartSchema.extend({
  status: z.enum(['ok', 'failed', 'denied', 'interrupted']),
  output: z.string(),
  durationMs: z.number(),
  programMs: z.number().describe('How long a program of the repository ran inside the call'),
  changed: z.array(changedFileSchema),
  checkpoint: z.string().optional(),
  rules: z.array(z.string()).optional().describe('For a command line that was judged: what allowed it'),
  denials: z.array(denialSchema).optional().describe('What was not let happen, by which rule'),
  remarks: z.array(commandRemarkSchema).optional().describe('What a person has to look at before a merge'),
});
export type FinishedToolPart = z.infer<typeof finishedToolPartSchema>;

/** How a call is closed that was cut off; nothing that it changed counts. */
export function interruptPart(part: StartedToolPart, output: string): FinishedToolPart {
  return { ...part, status: 'interrupted', output, durationMs: 0, programMs: 0, changed: [] };
}

const textPartSchema = z.object({ ...place, kind: z.literal('text'), text: z.string() });
/** `block` is the model's own block, kept whole because the model must get it back unchanged. */
const reasoningPartSchema = z.object({
  ...place,
  kind: z.literal('reasoning'),
  text: z.string(),
  block: z.unknown(),
});

export const finishedPartSchema = z.discriminatedUnion('kind', [
  textPartSchema,
  reasoningPartSchema,
  finishedToolPartSchema,
]);
export type FinishedPart = z.infer<typeof finishedPartSchema>;
