import { z } from 'zod';
import { partialBudgetsSchema } from '../operation/budgets.ts';
import { commandRulesSchema } from '../policy/command-rules.ts';
import { readYaml } from './read-yaml.ts';

const command = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character');

const packageName = z
  .string()
  .max(214)
  .regex(/^(@[a-z0-9][\w.~-]*\/)?[a-z0-9_][\w.~-]*$/i, 'must be a package name');

const glob = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (pattern) => !/[(){}|]/.test(pattern) && !pattern.startsWith('!'),
    'must not contain groups or braces, or start with !',
  );

const reportPath = z
  .string()
  .min(1)
  .max(300)
  .refine((path) => !/[(){}|\\\0]|\*\*/.test(path), 'may contain * within a name, and no other pattern')
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path inside the repository',
  );

const login = z
  .string()
  .regex(/^[a-z\d](-?[a-z\d]){0,38}$/i, 'must be the name of an account on GitHub, without @');

const label = z.string().trim().min(1).max(50);

const reviewer = z
  .string()
  .max(150)
  .regex(/^[\w.-]+(\/[\w.-]+)?$/, 'must be a login, or organization/team, without @');

/** `.fettle/config.yml`, read from the base branch, so that a change cannot relax its own rules. */
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
        format: command.optional().describe('Checks the format without changing files'),
      })
      .default({})
      .describe('The checks of a change, in the order in which they run; each must exit with code 0'),
    reports: z
      .array(reportPath)
      .max(20)
      .default([])
      .describe('JUnit XML files that the commands write; * matches any part of one name'),
    protectedPaths: z
      .array(glob)
      .max(200)
      .default([])
      .describe('Globs of files that Fettle may read but never change'),
    install: z
      .strictObject({
        scripts: z
          .array(packageName)
          .max(50)
          .default([])
          .describe('Packages whose install scripts may run, if the operator allows them too'),
      })
      .default({ scripts: [] })
      .describe('How packages are installed'),
    policy: z
      .strictObject({
        commands: z
          .literal('strict')
          .optional()
          .describe('No shell for the agent’s commands, even if the operator allows one'),
        rules: commandRulesSchema
          .max(100)
          .default([])
          .describe(
            'Commands that may not run here, in addition to the built-in rules; rules cannot allow more',
          ),
      })
      .default({ rules: [] })
      .describe('What neither the agent nor set-up may run in this repository'),
    requesters: z
      .array(login)
      .max(200)
      .optional()
      .describe('Accounts on GitHub that may make requests although they cannot write to the repository'),
    pullRequest: z
      .strictObject({
        labels: z.array(label).max(20).default([]).describe('Labels of every pull request of Fettle'),
        reviewers: z
          .array(reviewer)
          .max(15)
          .optional()
          .describe('Who is asked for a review: users, and teams as organization/team. Default: CODEOWNERS'),
      })
      .optional()
      .describe('Pull requests on GitHub'),
    budgets: partialBudgetsSchema.optional().describe('Can lower the operator’s budgets, never raise them'),
  })
  .describe('How Fettle works on this repository');
export type RepositoryConfig = z.infer<typeof repositoryConfigSchema>;

/** The parts that discovery provides if the file does not name them. */
export type NamedPart = 'setup' | 'commands';

/** `named` are the parts that the file names, even if empty. */
export type ConfigReading =
  | { ok: true; config: RepositoryConfig; named: NamedPart[] }
  | { ok: false; message: string };

export function readRepositoryConfig(text: string): ConfigReading {
  const reading = readYaml(text, repositoryConfigSchema);
  if (!reading.ok) return reading;
  const { value, written } = reading;
  const keys = Object.keys(z.looseObject({}).catch({}).parse(written));
  const named = (['setup', 'commands'] as const).filter((part) => keys.includes(part));
  return { ok: true, config: { ...value, commands: inWrittenOrder(value.commands, written) }, named };
}

/** A schema puts keys into its own order, but checks run in the order of the file. */
function inWrittenOrder(
  commands: RepositoryConfig['commands'],
  written: unknown,
): RepositoryConfig['commands'] {
  const names = writtenSchema.parse(written).commands;
  const entries = Object.entries(commands);
  return Object.fromEntries(entries.toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)));
}

const writtenSchema = z
  .object({ commands: z.record(z.string(), z.unknown()).transform(Object.keys).catch([]) })
  .catch({ commands: [] });
