/** Converts a request for a chat completion into one of the Messages API. */
import { z } from 'zod';
import { type Parsed, type PlayRequest, parseRequest, requestSchema } from '../request/request.ts';

const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string().transform(parseInput) }),
});

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content }),
  z.looseObject({ role: z.literal('developer'), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);
type ChatMessage = z.infer<typeof message>;

const chatSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }))
    .min(1)
    .optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});

export function readChat(body: unknown): Parsed<PlayRequest> {
  const parsed = parseRequest(chatSchema, body);
  if (!parsed.ok) return parsed;
  const { model, messages, tools, stream, stream_options, max_completion_tokens = 1 } = parsed.request;
  const told = messages.filter(({ role }) => role === 'system' || role === 'developer');
  return parseRequest(requestSchema, {
    model,
    max_tokens: max_completion_tokens,
    system: told.map((it) => it.content ?? '').join('\n'),
    messages: messages.filter((it) => !told.includes(it)).map(toMessage),
    ...(tools && { tools: tools.map((tool) => tool.function) }),
    ...(stream !== undefined && { stream }),
    stream_options,
    // Chat completions cache the whole prompt automatically.
    cache_control: { type: 'ephemeral' },
  });
}

function toMessage(message: ChatMessage): object {
  const text = message.content ? [{ type: 'text', text: message.content }] : [];
  if (message.role === 'assistant') {
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      ...{ type: 'tool_use', id, name, input },
    }));
    return { role: 'assistant', content: [...text, ...calls] };
  }
  if (message.role !== 'tool') return { role: 'user', content: text };
  const { tool_call_id, content } = message;
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: tool_call_id, content, unmarked: true }],
  };
}

/** Servers that use a template parse the arguments that are sent back, and fail if they are not JSON. */
function parseInput(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'arguments are not valid JSON' });
    return z.NEVER;
  }
}
