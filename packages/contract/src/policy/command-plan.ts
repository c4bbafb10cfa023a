/**
 * A command line after the policy has parsed it. The toolbox of the sandbox starts its programs directly; no shell sees
 * the line.
 */
import { z } from 'zod';

/**
 * A literal word, or a pattern that the toolbox expands to paths of the workspace. As in sh, a pattern without a match
 * stays as written. In a pattern, `\` escapes the next character.
 */
const planWordSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ glob: z.string() }),
  /**
   * An absolute path, or a pattern for paths, into the workspace (also as `/sandbox/workspace`) or into the scratch folder
   * (`/tmp`). The toolbox replaces it by where these are, and refuses any other.
   */
  z.strictObject({ place: z.string(), isPattern: z.boolean() }),
]);

const MAX_TEXT_LENGTH = 20_000;

const planRedirectSchema = z.discriminatedUnion('kind', [
  /** `< path` */
  z.strictObject({ kind: z.literal('read'), path: z.string() }),
  /** A here-document: the text becomes standard input. */
  z.strictObject({ kind: z.literal('text'), text: z.string().max(MAX_TEXT_LENGTH) }),
  /** `> path` or, with `append`, `>> path`. `both` is standard output and standard error. */
  z.strictObject({
    kind: z.literal('write'),
    fd: z.enum(['1', '2', 'both']),
    path: z.string(),
    append: z.boolean(),
  }),
  /** `2>&1` or `1>&2` */
  z.strictObject({ kind: z.literal('duplicate'), from: z.enum(['1', '2']), to: z.enum(['1', '2']) }),
]);

const planCommandSchema = z.strictObject({
  argv: z.array(planWordSchema).min(1).max(1000),
  env: z.record(z.string(), z.string()),
  redirects: z.array(planRedirectSchema).max(10),
});

/** One pipeline, from left to right. The toolbox carries out `cd` itself, so `cd` is the only command of its step. */
const planStepSchema = z.strictObject({
  /** `;`, `&&` or `||`: whether the step runs depends on the exit code of the last step that ran. */
  when: z.enum(['always', 'success', 'failure']),
  commands: z.array(planCommandSchema).min(1).max(20),
});

export const commandPlanSchema = z.array(planStepSchema).min(1).max(50);
export type CommandPlan = z.infer<typeof commandPlanSchema>;
