import { z } from 'zod';

const argument = z.string().min(1).max(100);
const flag = argument.startsWith('-');

/** A rule that forbids a command in addition to the built-in rules. It cannot allow anything. */
export const commandRuleSchema = z.strictObject({
  // A pattern would match nothing, but look like an effective rule.
  program: argument
    .regex(/^[^\s*?]+$/, 'must be the name of one program')
    .describe('As typed on the command line, for example git'),
  subcommand: argument.optional().describe('For example commit, or stash list. Default: every subcommand'),
  flag: z
    .union([flag, z.array(flag).min(1).max(20)])
    .optional()
    .describe(
      'Applies only if this flag is given, in this spelling, or one of several, for example [-r, -R, --recursive]',
    ),
  decision: z
    .enum(['deny', 'approve'])
    .default('deny')
    .describe('approve: the command runs, and the proposal shows it to a person'),
  reason: z.string().min(1).max(500),
  instead: z.string().min(1).max(500).optional().describe('What to do instead'),
});
export type CommandRule = z.infer<typeof commandRuleSchema>;

export const commandRulesSchema = z.array(commandRuleSchema).max(500);

export const commandModes = ['strict', 'contained'] as const;
/** How the agent's command lines run: parsed, checked and without a shell, or in a shell that only the sandbox contains. */
export type CommandMode = (typeof commandModes)[number];
