/** The record of one conversation, as a file or as an object. FORMAT.md describes it. */
import { z } from 'zod';
import { holdsValidTexts, textSchema as text } from './repeated-text.ts';

const answerBlock = z.union([
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({ type: z.literal('thinking'), thinking: text, signature: z.string().optional() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    name: z.string(),
    id: z.string().optional(),
    input: z
      .unknown()
      .refine((it): boolean => it !== undefined, 'needs input or rawInput')
      .refine(holdsValidTexts, 'has an invalid $repeat'),
  }),
  z.strictObject({
    type: z.literal('tool_use'),
    name: z.string(),
    id: z.string().optional(),
    rawInput: text,
  }),
]);

const tokens = z.int().nonnegative().optional();

const answer = z.strictObject({
  content: z.array(answerBlock),
  stop_reason: z
    .enum([
      'end_turn',
      'tool_use',
      'max_tokens',
      'stop_sequence',
      'pause_turn',
      'refusal',
      'model_context_window_exceeded',
    ])
    .optional(),
  usage: z
    .strictObject({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
    })
    .optional(),
});

const moment = z.enum(['before-headers', 'mid-stream']);

const fault = z.union([
  z.strictObject({
    status: z.int().min(400).max(599),
    retryAfterSeconds: z.number().nonnegative().optional(),
  }),
  z.strictObject({ overflow: z.literal(true) }),
  z.strictObject({ break: moment }),
  z.strictObject({ stall: moment }),
  z.strictObject({ errorEvent: z.string() }),
  z.strictObject({ endless: z.literal(true) }),
]);

const contains = z.array(z.string());

const expectation = z.strictObject({
  lastToolResult: z
    .strictObject({ contains: contains.optional(), isError: z.boolean().optional() })
    .optional(),
  lastText: z.strictObject({ contains }).optional(),
});

const turn = z.strictObject({
  expect: expectation.optional(),
  faults: z.array(fault).optional(),
  answer,
});

const pattern = z.string().refine(isPattern, 'is not a regular expression');

export const conversationSchema = z.strictObject({
  name: z.string().min(1),
  match: z.union([z.string(), z.strictObject({ pattern })]).optional(),
  model: z.string().optional(),
  /** Set if the reviewing agent plays it. A reviewer without a conversation reports no findings. */
  agent: z.literal('reviewer').optional(),
  cycle: z.boolean().optional(),
  repeatOn: z.string().min(1).optional(),
  /** Answers that take no turn, chosen by words of the last user message. */
  asides: z.array(z.strictObject({ match: z.string().min(1), turn })).optional(),
  turns: z.array(turn).min(1),
});

export type Conversation = z.infer<typeof conversationSchema>;
export type Turn = z.infer<typeof turn>;
export type Answer = z.infer<typeof answer>;
export type AnswerBlock = z.infer<typeof answerBlock>;
export type Expectation = z.infer<typeof expectation>;
export type Fault = z.infer<typeof fault>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
