/** Our conversation in the words of the Messages API, with cache marks on what stays the same from turn to turn. */
import type { MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Block, Message, ModelRequest } from './model.ts';

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

/** Two marks move along: the newest writes the cache, the one before it is where the last turn wrote it. */
function markEnd(messages: MessageParam[]): MessageParam[] {
  const users = messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-2);
  return messages.map((message, index) => {
    if (!users.includes(index) || typeof message.content === 'string') return message;
    const content = message.content.map((block, place) =>
      place === message.content.length - 1 ? { ...block, ...mark } : block,
    );
    return { ...message, content } as MessageParam;
  });
}

function toMessage(message: Message): MessageParam {
  if (message.role === 'assistant') return { role: 'assistant', content: message.blocks.map(toBlock) };
  return {
    role: 'user',
    content: message.items.map((item) =>
      item.kind === 'text'
        ? { type: 'text', text: item.text }
        : { type: 'tool_result', tool_use_id: item.callId, content: item.output, is_error: item.isError },
    ),
  };
}

function toBlock(block: Block) {
  switch (block.kind) {
    case 'text':
      return { type: 'text' as const, text: block.text };
    case 'reasoning':
      return block.block as { type: 'thinking'; thinking: string; signature: string };
    case 'tool':
      return { type: 'tool_use' as const, id: block.callId, name: block.tool, input: block.input };
  }
}
