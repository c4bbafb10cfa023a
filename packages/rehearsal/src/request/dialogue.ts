// The messages as the model is given them: neighbours of one role are one message.
import type { Block, Message } from './request.ts';

export type Dialogue = { role: 'user' | 'assistant'; content: Block[] }[];

export function mergeMessages(messages: Message[]): Dialogue {
  const dialogue: Dialogue = [];
  for (const { role, content } of messages) {
    if (role === 'system') continue; // instructions in passing take no turn in the dialogue
    const last = dialogue.at(-1);
    if (last?.role === role) last.content.push(...content);
    else dialogue.push({ role, content: [...content] });
  }
  return dialogue;
}

export function textOf(content: Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Whether it is an error is not known where the wire has no word for it. */
export function lastToolResult(content: Block[]): { text: string; isError: boolean | undefined } | undefined {
  const result = content.findLast((block) => block.type === 'tool_result');
  if (!result) return undefined;
  return { text: resultText(result), isError: result.unmarked ? undefined : (result.is_error ?? false) };
}

export function resultTexts(content: Block[]): string[] {
  return content.flatMap((block) => (block.type === 'tool_result' ? [resultText(block)] : []));
}

function resultText({ content = '' }: Extract<Block, { type: 'tool_result' }>): string {
  return typeof content === 'string' ? content : textOf(content);
}
