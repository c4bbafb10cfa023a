/** The schema of a request. Rules across messages are in check-request.ts. */
import { z } from 'zod';

const cacheControl = z
  .looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish();
const nonEmptyText = z.string().min(1, 'text content blocks must be non-empty');
const visibleText = z.string().regex(/\S/, 'text content blocks must contain non-whitespace text');

const marked = { cache_control: cacheControl };
const textBlock = z.looseObject({ type: z.literal('text'), text: visibleText, ...marked });
const imageBlock = z.looseObject({ type: z.literal('image'), ...marked });
const documentBlock = z.looseObject({ type: z.literal('document'), ...marked });

const resultBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: nonEmptyText, ...marked }),
  imageBlock,
  documentBlock,
]);

const id = z.string().regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'");
const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");

const block = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  documentBlock,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id,
    name: z.string().min(1).max(200),
    input: z.record(z.string(), z.unknown(), 'Input should be a valid dictionary'),
    ...marked,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: id,
    content: z.union([z.string(), z.array(resultBlock)]).optional(),
    is_error: z.boolean().optional(),
    /** Our own field: the protocol of the request does not mark results as errors. */
    unmarked: z.literal(true).optional(),
    ...marked,
  }),
]);

const emptyContent = 'all messages must have non-empty content';
const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([
    z.string().min(1, emptyContent).transform(asBlocks),
    z.array(block).min(1, emptyContent),
  ]),
});

const tool = z.looseObject({ name: toolName, ...marked });

export const countSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1, 'at least one message is required'),
  system: z.union([z.string().transform(asBlocks), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  ...marked,
});

export const requestSchema = countSchema.extend({
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
});

export type PlayRequest = z.infer<typeof requestSchema>;
export type CountRequest = z.infer<typeof countSchema>;
export type Message = z.infer<typeof message>;
export type Block = z.infer<typeof block>;
export type CacheControl = z.infer<typeof cacheControl>;

function asBlocks(content: string): { type: 'text'; text: string }[] {
  return content === '' ? [] : [{ type: 'text', text: content }];
}

export type Parsed<T> = { ok: true; request: T } | { ok: false; reason: string };

export function parseRequest<T>(schema: z.ZodType<T>, body: unknown): Parsed<T> {
  const parsed = schema.safeParse(body, { error: fieldRequired });
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, reason: firstReason(parsed.error.issues, []) };
}

function fieldRequired(issue: { input?: unknown }): string | undefined {
  return issue.input === undefined ? 'Field required' : undefined;
}

/** A union reports one list per branch. The branch with the deepest path is the one that the caller meant. */
function firstReason(issues: readonly z.core.$ZodIssue[], path: PropertyKey[]): string {
  const issue = issues[0];
  if (!issue) return 'invalid request';
  const here = [...path, ...issue.path];
  const branch = issue.code === 'invalid_union' ? issue.errors.toSorted(byDepth)[0] : undefined;
  return branch ? firstReason(branch, here) : `${here.join('.')}: ${issue.message}`;
}

function byDepth(a: readonly z.core.$ZodIssue[], b: readonly z.core.$ZodIssue[]): number {
  return depth(b) - depth(a);
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}
