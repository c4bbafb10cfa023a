/** What was understood of a command line. Nothing of it is left to a shell: who runs it wires these up. */
import { z } from 'zod';

/** A word that is what it says, or a pattern that the toolbox expands to paths of the workspace; with no match it stays as written, as in sh. In a pattern, `\` takes the meaning from the character after it. */
export const planWordSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ glob: z.string() }),
]);
/** `fd` 0 reads from `path`; 1 and 2 write to it, from its start or at its end; `both` is 1 and 2. `duplicate` is `2>&1` or `1>&2`. */
export const planRedirectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read'), path: z.string() }),
  z.strictObject({
    kind: z.literal('write'),
    fd: z.enum(['1', '2', 'both']),
    path: z.string(),
    append: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('duplicate'), from: z.enum(['1', '2']), to: z.enum(['1', '2']) }),
]);
export const planCommandSchema = z.strictObject({
  argv: z.array(planWordSchema).min(1).max(1000),
  env: z.record(z.string(), z.string()),
  redirects: z.array(planRedirectSchema).max(10),
});
/** The commands of a pipe, from left to right. `cd` stands alone in one and is carried out by the toolbox itself. */
export const planStepSchema = z.strictObject({
  /** Whether it runs depends on how the last step that ran ended, as `&&`, `||` and `;` say. */
  when: z.enum(['always', 'success', 'failure']),
  commands: z.array(planCommandSchema).min(1).max(20),
});
export const commandPlanSchema = z.array(planStepSchema).min(1).max(50);
export type CommandPlan = z.infer<typeof commandPlanSchema>;
