import { z } from 'zod';
import { partialBudgetsSchema } from './budgets.ts';

export const kinds = ['debug', 'implement', 'refactor', 'fix', 'ask'] as const;
export const kindSchema = z.enum(kinds);
export type Kind = z.infer<typeof kindSchema>;

export const priorities = ['low', 'medium', 'high', 'critical'] as const;
export const prioritySchema = z.enum(priorities);
export type Priority = z.infer<typeof prioritySchema>;

const noControl = (value: string) => !hasControlCharacter(value);

function hasControlCharacter(value: string): boolean {
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 32 || code === 127) return true;
  }
  return false;
}

function isInside(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..');
}
export const pathInside = [isInside, 'must be a path inside the repository'] as const;

export const line = (max: number) =>
  z.string().trim().min(1).max(max).refine(noControl, 'must be one line without control characters');
export const prose = (max: number) => z.string().trim().min(1).max(max);

/** The service is part of the name: `openai:` for chat completions, none for a Claude model. */
export const modelNameSchema = z
  .string()
  .max(200)
  .regex(
    /^(openai:[\x21-\x7e]+|(?!openai:)[\x21-\x7e]+)$/,
    'must name a model, such as claude-sonnet-5-5 or openai:gpt-5.4',
  );

/** What others wrote about the request on a forge. Always data, never an instruction. */
export const quotedThreadSchema = z
  .array(
    z.strictObject({
      author: line(200),
      url: z.url({ protocol: /^https?$/ }).max(1_000),
      /** Whether the author may request work in the repository. */
      permitted: z.boolean(),
      text: prose(10_000),
    }),
  )
  .max(50);
export type QuotedThread = z.infer<typeof quotedThreadSchema>;

/** The request for an operation. Unknown fields are rejected, so that typos are noticed. */
export const requestSchema = z.strictObject({
  kind: kindSchema,
  description: prose(20_000),
  repository: line(1_000).describe('A path on the server, a clone URL, or owner/name'),
  baseBranch: line(250).optional(),
  targetFiles: z
    .array(line(1_000).refine(...pathInside))
    .max(100)
    .default([]),
  errorContext: z
    .strictObject({
      message: prose(20_000).optional(),
      stack: prose(100_000).optional(),
      logs: prose(200_000).optional(),
    })
    .optional(),
  featureContext: z
    .strictObject({
      requirements: z.array(prose(5_000)).max(100).default([]),
      acceptanceCriteria: z.array(prose(5_000)).max(100).default([]),
    })
    .optional(),
  thread: quotedThreadSchema
    .optional()
    .describe(
      'The issue or pull request in which the request was made, as data, with the author of each text',
    ),
  ticket: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'must look like PROJ-123')
    .optional(),
  origin: line(300)
    .optional()
    .describe(
      'The id of the message that requests the operation. The same message creates one operation, however often it is delivered',
    ),
  priority: prioritySchema.default('medium'),
  approvalRequired: z.boolean().default(true),
  model: modelNameSchema
    .optional()
    .describe('The model that works on the request. Default: the model of the worker, FETTLE_MODEL'),
  review: z
    .boolean()
    .optional()
    .describe('Whether a second agent reviews the change before it is proposed. Default: true'),
  evidence: z
    .boolean()
    .optional()
    .describe(
      'Whether a fix or debug has to show the fault: a test that fails before the change and passes after it. Default: true',
    ),
  planApproval: z
    .boolean()
    .optional()
    .describe('Propose a plan and wait for approval. Only for implement. Default: false'),
  budgets: partialBudgetsSchema.optional(),
});
export type Request = z.infer<typeof requestSchema>;
export type RequestInput = z.input<typeof requestSchema>;
