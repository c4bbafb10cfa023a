import { z } from 'zod';

/** Limits for texts that Fettle does not choose. */
const maxLength = { subject: 2_000, token: 300, text: 1_000 };

/** What a rule denied, and what would be allowed instead. */
export const denialSchema = z.object({
  kind: z
    .enum(['command', 'path', 'file'])
    .describe('A command line, a path in a tool call, or a written file'),
  subject: z.string().describe('The whole command line, or the path'),
  token: z.string().describe('The part of the subject that the rule applies to'),
  rule: z.string(),
  reason: z.string(),
  instead: z.string().optional().describe('The closest alternative that is allowed'),
});
export type Denial = z.infer<typeof denialSchema>;

/** Truncates the texts, so that the denial fits into the record. */
export function toDenial({ kind, subject, token, rule, reason, instead }: Denial): Denial {
  return {
    kind,
    subject: subject.slice(0, maxLength.subject),
    token: token.slice(0, maxLength.token),
    rule: rule.slice(0, maxLength.token),
    reason: reason.slice(0, maxLength.text),
    ...(instead !== undefined && { instead: instead.slice(0, maxLength.text) }),
  };
}

/** Something that a command did and that a person should review. */
export const commandRemarkSchema = z.object({ rule: z.string(), token: z.string(), reason: z.string() });
export type CommandRemark = z.infer<typeof commandRemarkSchema>;

export const denialQuerySchema = z.strictObject({
  since: z.iso.datetime().optional().describe('Only denials since then'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
});
export type DenialQuery = z.infer<typeof denialQuerySchema>;

/** All denials of one rule and token. */
export const deniedGroupSchema = z.object({
  ...denialSchema.pick({ kind: true, rule: true, token: true }).shape,
  count: z.int(),
  operations: z.int().describe('The number of operations'),
  lastAt: z.iso.datetime(),
  example: z
    .object({
      operationId: z.string(),
      part: z.int(),
      ...denialSchema.pick({ subject: true, reason: true, instead: true }).shape,
    })
    .describe('The last denial'),
});
export type DeniedGroup = z.infer<typeof deniedGroupSchema>;

export const denialReportSchema = z.object({
  since: z.iso.datetime().nullable(),
  total: z.int().describe('The number of all denials'),
  groups: z.array(deniedGroupSchema).describe('Most frequent first'),
  more: z.boolean(),
});
export type DenialReport = z.infer<typeof denialReportSchema>;
