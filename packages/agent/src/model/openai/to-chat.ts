/** Converts a conversation to the format of chat completions. */
import { z } from 'zod';
import {
  type Block,
  emptyAnswer,
  type Message,
  type ModelRequest,
  sendableName,
  type UserItem,
} from '../model.ts';

export function toChat({ system, tools, messages }: ModelRequest) {
  return {
    messages: [{ role: 'system', content: system }, ...messages.flatMap(toMessages)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
  };
}

function toMessages(message: Message): object[] {
  return message.role === 'assistant' ? [toAnswer(message.blocks)] : message.items.map(toItem);
}

function toItem(item: UserItem): object {
  if (item.kind === 'text') return { role: 'user', content: item.text };
  // The format has no field for errors.
  const content = item.isError ? `This call failed:\n${item.output}` : item.output;
  return { role: 'tool', tool_call_id: item.callId, content };
}

/** Reasoning goes back in the field that it came in. Servers that send no reasoning never get the field. */
const reasoningSchema = z.union([
  z.strictObject({ reasoning_content: z.string() }),
  z.strictObject({ reasoning: z.string() }),
]);

function toAnswer(blocks: Block[]): object {
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  const tool_calls = blocks.flatMap((block) => (block.kind === 'tool' ? [toToolCall(block)] : []));
  const reasoning = blocks.map((block) => reasoningSchema.safeParse('block' in block && block.block).data);
  const nothing = texts.length === 0 && tool_calls.length === 0;
  return {
    role: 'assistant',
    content: nothing ? emptyAnswer : texts.length > 0 ? texts.join('\n\n') : null,
    ...Object.assign({}, ...reasoning),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

function toToolCall({ callId, tool, input }: Extract<Block, { kind: 'tool' }>) {
  const called = { name: sendableName(tool), arguments: JSON.stringify(input) };
  return { id: callId, type: 'function', function: called };
}
