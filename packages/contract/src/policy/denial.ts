import { z } from 'zod';

/** Cut where somebody else chose the words; a rule and what it says of itself are short. */
const longest = { subject: 2_000, token: 300, words: 1_000 };

/** What a rule did not let happen, and what would be allowed. */
export const denialSchema = z.object({
  kind: z
    .enum(['command', 'path', 'file'])
    .describe('A command line, a path that a call named, or a file that something wrote'),
  subject: z.string().describe('The whole command line, or the path'),
  token: z.string().describe('The part of it that is meant'),
  rule: z.string(),
  reason: z.string(),
  instead: z.string().optional().describe('The nearest thing that is allowed'),
});
export type Denial = z.infer<typeof denialSchema>;

/** One that fits on the record, whatever the words are. */
export function toDenial({ kind, subject, token, rule, reason, instead }: Denial): Denial {
  return {
    kind,
    subject: subject.slice(0, longest.subject),
    token: token.slice(0, longest.token),
    rule: rule.slice(0, longest.token),
    reason: reason.slice(0, longest.words),
    ...(instead !== undefined && { instead: instead.slice(0, longest.words) }),
  };
}

/** What was done by a command, and a person has to look at. */
export const commandRemarkSchema = z.object({ rule: z.string(), token: z.string(), reason: z.string() });
export type CommandRemark = z.infer<typeof commandRemarkSchema>;
