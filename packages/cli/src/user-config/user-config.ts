/**
 * What `~/.config/fettle/config.yml` may contain: settings that a user would otherwise repeat every time. Each stands
 * for an environment variable or for an option of the command line, and both win over it.
 */
import { modelNameSchema, partialBudgetsSchema } from '@fettle/contract';
import { z } from 'zod';

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that starts with http:// or https://',
});
const path = z.string().min(1).max(1_000);

export const userConfigSchema = z.strictObject({
  home: path.optional(),
  url: httpUrl.optional(),
  tokenFile: path.optional(),
  model: modelNameSchema.optional(),
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  thinking: z.union([z.enum(['off', 'adaptive']), z.int().min(1024)]).optional(),
  anthropicUrl: httpUrl.optional(),
  openaiUrl: httpUrl.optional(),
  sandbox: z.enum(['auto', 'docker', 'bubblewrap', 'process']).optional(),
  repo: z.string().min(1).max(1_000).optional(),
  review: z.boolean().optional(),
  evidence: z.boolean().optional(),
  follow: z.boolean().optional(),
  color: z.boolean().optional(),
  budgets: partialBudgetsSchema.optional(),
});
export type UserConfig = z.infer<typeof userConfigSchema>;

type Name = keyof UserConfig;

/** Every setting by its name: `model`, `budgets.turns`. */
export const settingNames: string[] = Object.keys(userConfigSchema.shape).flatMap((name) =>
  name === 'budgets' ? Object.keys(partialBudgetsSchema.shape).map((budget) => `budgets.${budget}`) : [name],
);

/** The keys that stand for an environment variable. */
export const variables = {
  home: 'FETTLE_HOME',
  url: 'FETTLE_URL',
  tokenFile: 'FETTLE_TOKEN_FILE',
  model: 'FETTLE_MODEL',
  effort: 'FETTLE_MODEL_EFFORT',
  thinking: 'FETTLE_MODEL_THINKING',
  anthropicUrl: 'ANTHROPIC_BASE_URL',
  openaiUrl: 'OPENAI_BASE_URL',
  sandbox: 'FETTLE_SANDBOX',
} as const satisfies Partial<Record<Name, string>>;

/** The keys whose values are paths, in which ~ is the home folder of the user. */
export const paths: readonly Name[] = ['home', 'tokenFile', 'repo'];

/** The options of the command line that take their value from the file, by their name in commander. */
export function optionsOf({
  review,
  evidence,
  follow,
  color,
  budgets = {},
}: UserConfig): Map<string, unknown> {
  const { parts, turns, tokens, usd, seconds } = budgets;
  const limits = { maxParts: parts, maxTurns: turns, maxTokens: tokens, maxUsd: usd, maxSeconds: seconds };
  const given = Object.entries({ review, evidence, follow, color, ...limits });
  return new Map(
    given.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value] as const],
    ),
  );
}
