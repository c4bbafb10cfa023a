import { z } from 'zod';
import { commandRemarkSchema, denialSchema } from '../policy/denial.ts';

/** Agents other than the main agent that have turns of their own. */
export const agentSchema = z.enum(['reviewer']);
export type Agent = z.infer<typeof agentSchema>;
export const by = agentSchema.optional().describe('The agent, if it is not the main agent');

const place = { number: z.int().positive(), turn: z.int().positive(), by };

/** One file that a part changed. */
export const changedFileSchema = z.object({
  path: z.string(),
  change: z.enum(['written', 'deleted']),
  blob: z.string().optional().describe('The git blob hash of the new content'),
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
  programMs: z.number().describe('How long programs of the repository ran during the call'),
  changed: z.array(changedFileSchema),
  checkpoint: z.string().optional(),
  rules: z.array(z.string()).optional().describe('The rules that allowed the command line'),
  denials: z.array(denialSchema).optional().describe('What was denied, and by which rule'),
  remarks: z.array(commandRemarkSchema).optional().describe('What a person should review before merging'),
});
export type FinishedToolPart = z.infer<typeof finishedToolPartSchema>;

/** Closes an interrupted call. Its changes do not count. */
export function interruptPart(part: StartedToolPart, output: string): FinishedToolPart {
  return { ...part, status: 'interrupted', output, durationMs: 0, programMs: 0, changed: [] };
}

const textPartSchema = z.object({ ...place, kind: z.literal('text'), text: z.string() });
/** `block` is the model's own block, which must be sent back to it unchanged. */
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
