/** The messages as the model gets them: consecutive messages of one role become one. */
import type { Block, Message } from './request.ts';

export type Dialogue = { role: 'user' | 'assistant'; content: Block[] }[];

export function mergeMessages(messages: Message[]): Dialogue {
  const dialogue: Dialogue = [];
  for (const { role, content } of messages) {
    if (role === 'system') continue; // not part of the dialogue
    const last = dialogue.at(-1);
    if (last?.role === role) last.content.push(...content);
    else dialogue.push({ role, content: [...content] });
  }
  return dialogue;
}

export function textOf(content: Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** `isError` is undefined if the protocol does not mark errors. */
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

/** How many answers the model has given. If old ones were left out, the id of the last call contains its number. */
export function countAnswers(messages: Message[]): number {
  let answers = 0;
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    answers += 1;
    for (const block of content) {
      const [, number] = (block.type === 'tool_use' && /^toolu_a(\d+)_/.exec(block.id)) || [];
      if (number !== undefined) answers = Number(number);
    }
  }
  return answers;
}
