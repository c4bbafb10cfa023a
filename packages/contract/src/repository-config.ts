import { parseDocument } from 'yaml';
import { z } from 'zod';
import { partialBudgetsSchema } from './budgets.ts';
import { describeIssue } from './errors.ts';

const command = z.string().trim().min(1).max(2_000);

/** Few wildcards and no groups: matching must not take longer the cleverer the pattern is. */
const glob = z
  .string()
  .min(1)
  .max(500)
  .refine((pattern) => !/[(){}|]/.test(pattern), 'may not contain groups or braces')
  .refine((pattern) => pattern.split('/').every(hasFewStars), 'may have two * in one part of the path')
  .refine(
    (pattern) => pattern.split('/').filter((part) => part === '**').length <= 3,
    'may have ** three times',
  );

function hasFewStars(part: string): boolean {
  return part === '**' || (part.match(/[*?[]/g) ?? []).length <= 2;
}

/** `.fettle/config.yml`, read from the base branch, so that a change cannot loosen its own rules. */
export const repositoryConfigSchema = z
  .strictObject({
    version: z.literal(1).default(1),
    setup: z.array(command).max(20).default([]).describe('Run once in each new sandbox, in order'),
    commands: z
      .strictObject({
        typecheck: command.optional(),
        lint: command.optional(),
        test: command.optional(),
        build: command.optional(),
        format: command.optional().describe('Checks the format; changes nothing'),
      })
      .default({})
      .describe('What proves a change; each must end with exit code 0'),
    protectedPaths: z
      .array(glob)
      .max(200)
      .default([])
      .describe('Globs of files that Fettle may read and never change'),
    budgets: partialBudgetsSchema.optional().describe('Can lower the operator’s budgets, never raise them'),
  })
  .describe('How Fettle works on this repository');
export type RepositoryConfig = z.infer<typeof repositoryConfigSchema>;

export type ConfigReading = { ok: true; config: RepositoryConfig } | { ok: false; message: string };

export function readRepositoryConfig(text: string): ConfigReading {
  const document = parseDocument(text, { uniqueKeys: true });
  const fault = document.errors[0];
  if (fault) return { ok: false, message: fault.message };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    return { ok: false, message: String(error) };
  }
  const parsed = repositoryConfigSchema.safeParse(value ?? {});
  if (parsed.success) return { ok: true, config: parsed.data };
  const { field, message } = describeIssue(parsed.error);
  return { ok: false, message: field ? `${field}: ${message}` : message };
}
