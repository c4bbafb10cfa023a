/** The fields of a chat completion chunk that we use. Compatible servers leave out different ones. */
import { z } from 'zod';

const text = z.string().nullish();
/** Optional: a server that uses the name for something else is not rejected. */
const extra = z.string().nullish().catch(undefined);

const callPieceSchema = z.object({
  index: z.number().nullish(),
  id: z.string().max(200).nullish(),
  function: z.object({ name: text, arguments: text }).nullish(),
});
export type CallPiece = z.infer<typeof callPieceSchema>;

const deltaSchema = z.object({
  content: text,
  refusal: text,
  reasoning_content: extra,
  reasoning: extra,
  tool_calls: z.array(callPieceSchema).nullish(),
});
export type Delta = z.infer<typeof deltaSchema>;

export const chunkSchema = z.object({
  model: text,
  choices: z
    .array(z.object({ index: z.number().nullish(), delta: deltaSchema.nullish(), finish_reason: text }))
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens_details: z.looseObject({}).nullish().catch(undefined),
    })
    .nullish(),
  error: z.unknown().optional(),
});
export type ChatUsage = NonNullable<z.infer<typeof chunkSchema>['usage']>;
