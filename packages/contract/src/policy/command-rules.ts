import { z } from 'zod';

const word = z.string().min(1).max(100);
const flag = word.startsWith('-');

/** What one layer forbids over the built-in rules for commands. It has no way to allow anything. */
export const commandRuleSchema = z.strictObject({
  // A pattern would match nothing, and look like a rule that holds.
  program: word.regex(/^[^\s*?]+$/, 'must be the name of one program').describe('As it is typed: git'),
  subcommand: word.optional().describe('As in commit, or stash list; without it, all of the program'),
  flag: z
    .union([flag, z.array(flag).min(1).max(20)])
    .optional()
    .describe(
      'Only where this flag is given, in this spelling; or one of several, as in [-r, -R, --recursive]',
    ),
  decision: z
    .enum(['deny', 'approve'])
    .default('deny')
    .describe('approve: it runs, and a person is shown it in the proposal'),
  reason: z.string().min(1).max(500),
  instead: z.string().min(1).max(500).optional().describe('What to do in its place'),
});
export type CommandRule = z.infer<typeof commandRuleSchema>;

export const commandRulesSchema = z.array(commandRuleSchema).max(500);

export const commandModes = ['strict', 'contained'] as const;
/** How the agent's command lines run: parsed, judged and without a shell, or by a shell that the sandbox contains. */
export type CommandMode = (typeof commandModes)[number];
