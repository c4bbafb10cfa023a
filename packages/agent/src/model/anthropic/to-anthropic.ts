/** Converts a conversation to the format of the Messages API, with cache marks on the stable prefix. */
import type {
  ContentBlockParam,
  MessageCreateParams,
  MessageParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { z } from 'zod';
import { type Block, emptyAnswer, type Message, type ModelRequest, sendableName } from '../model.ts';

export interface Reasoning {
  /** Without a value, the model's default. Newer models think adaptively and accept no budget; some cannot turn it off. */
  thinking?: 'off' | 'adaptive' | number | undefined;
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
}

const mark = { cache_control: { type: 'ephemeral' as const } };

export function toAnthropic(request: ModelRequest) {
  return {
    system: [{ type: 'text' as const, text: request.system, ...mark }],
    tools: request.tools.map(
      ({ name, description, inputSchema }, index): Tool => ({
        name,
        description,
        input_schema: inputSchema as Tool['input_schema'],
        ...(index === request.tools.length - 1 && mark),
      }),
    ),
    messages: markEnd(request.messages.map(toMessage)),
  };
}

/** Every turn sends the whole conversation again, so the JSON of messages that no longer change is cached. */
const texts = new WeakMap<object, string>();

/** The same as JSON, after the fields of `head`. Messages come from the cache. */
export function toAnthropicJson(head: object, request: ModelRequest): string {
  const { messages } = request;
  const rest = toAnthropic({ ...request, messages: [] });
  const tools = keep(request.tools, () => rest.tools);
  const users = lastUsers(messages);
  const parts = messages.map((message, index) => {
    // The last message may grow, and the marks move.
    if (index === messages.length - 1 || users.includes(index))
      return JSON.stringify(users.includes(index) ? markLast(toMessage(message)) : toMessage(message));
    return keep(message, () => toMessage(message));
  });
  const begin = JSON.stringify({ ...head, system: rest.system }).slice(0, -1);
  return `${begin},"tools":${tools},"messages":[${parts.join(',')}]}`;
}

function keep(source: object, make: () => unknown): string {
  const known = texts.get(source);
  if (known !== undefined) return known;
  const text = JSON.stringify(make());
  texts.set(source, text);
  return text;
}

/** A thinking budget must be smaller than the answer, so a short answer has none. */
export function toThinking(
  { thinking, effort }: Reasoning,
  maxTokens: number,
): Pick<MessageCreateParams, 'thinking' | 'output_config'> {
  return {
    ...(thinking === 'off' && { thinking: { type: 'disabled' } }),
    ...(thinking === 'adaptive' && { thinking: { type: 'adaptive' } }),
    ...(typeof thinking === 'number' &&
      thinking < maxTokens && { thinking: { type: 'enabled', budget_tokens: thinking } }),
    ...(effort !== undefined && { output_config: { effort } }),
  };
}

/** Marks the last two user messages: the newest writes the cache, the other is where the previous turn wrote it. */
function markEnd(messages: MessageParam[]): MessageParam[] {
  const users = lastUsers(messages);
  return messages.map((message, index) => (users.includes(index) ? markLast(message) : message));
}

function lastUsers(messages: { role: string }[]): number[] {
  return messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
}

function markLast(message: MessageParam): MessageParam {
  if (typeof message.content === 'string') return message;
  const content = message.content.map((block, place) =>
    place === message.content.length - 1 ? { ...block, ...mark } : block,
  );
  return { ...message, content } as MessageParam;
}

function toMessage(message: Message): MessageParam {
  if (message.role === 'assistant') {
    const content = message.blocks.flatMap(toBlock);
    return {
      role: 'assistant',
      content: content.length > 0 ? content : [{ type: 'text', text: emptyAnswer }],
    };
  }
  return {
    role: 'user',
    content: message.items.map((item) =>
      item.kind === 'text'
        ? { type: 'text', text: item.text }
        : { type: 'tool_result', tool_use_id: item.callId, content: item.output, is_error: item.isError },
    ),
  };
}

/** The reasoning blocks that the service accepts. It would reject those of other services. */
const thinkingSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
]);

function toBlock(block: Block): ContentBlockParam[] {
  switch (block.kind) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'reasoning':
      // The original object, not the parsed one: the order of fields must not change.
      return thinkingSchema.safeParse(block.block).success ? [block.block as ContentBlockParam] : [];
    case 'tool':
      return [{ type: 'tool_use', id: block.callId, name: sendableName(block.tool), input: block.input }];
  }
}
