import { z } from 'zod';
import { partialBudgetsSchema } from '../operation/budgets.ts';
import { commandRulesSchema } from '../policy/command-rules.ts';
import { readYaml } from './read-yaml.ts';

const command = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .refine((text) => !text.includes('\0'), 'may not contain a NUL');

const packageName = z
  .string()
  .max(214)
  .regex(/^(@[a-z0-9][\w.~-]*\/)?[a-z0-9_][\w.~-]*$/i, 'must be the name of a package');

const glob = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (pattern) => !/[(){}|]/.test(pattern) && !pattern.startsWith('!'),
    'may not contain groups, braces or a ! in front',
  );

const reportPath = z
  .string()
  .min(1)
  .max(300)
  .refine((path) => !/[(){}|\\\0]|\*\*/.test(path), 'may have * within a name, and no other pattern')
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path in the repository',
  );

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
    reports: z
      .array(reportPath)
      .max(20)
      .default([])
      .describe('JUnit XML files that the commands write; a * stands for any part of one name'),
    protectedPaths: z
      .array(glob)
      .max(200)
      .default([])
      .describe('Globs of files that Fettle may read and never change'),
    install: z
      .strictObject({
        scripts: z
          .array(packageName)
          .max(50)
          .default([])
          .describe('Packages whose install scripts may run, where the operator allows them too'),
      })
      .default({ scripts: [] })
      .describe('How packages are installed'),
    policy: z
      .strictObject({
        commands: z
          .literal('strict')
          .optional()
          .describe('No shell for the agent’s commands, also where the operator leaves it one'),
        rules: commandRulesSchema
          .max(100)
          .default([])
          .describe('What may not be run here, over the built-in rules; there is no way to allow more'),
      })
      .default({ rules: [] })
      .describe('What the agent and set-up may not run in this repository'),
    budgets: partialBudgetsSchema.optional().describe('Can lower the operator’s budgets, never raise them'),
  })
  .describe('How Fettle works on this repository');
export type RepositoryConfig = z.infer<typeof repositoryConfigSchema>;

export type ConfigReading = { ok: true; config: RepositoryConfig } | { ok: false; message: string };

export function readRepositoryConfig(text: string): ConfigReading {
  const reading = readYaml(text, repositoryConfigSchema);
  return reading.ok ? { ok: true, config: reading.value } : reading;
}
