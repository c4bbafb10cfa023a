// For tests that write their conversation in TypeScript: conversation('fix', [turn(call('read', { path: 'a' })), turn(say('Done.'))])
import type { AnswerBlock, Conversation, Turn } from './conversation.ts';

export function say(text: string | ReturnType<typeof seen>): AnswerBlock {
  return { type: 'text', text };
}

export function think(text: string): AnswerBlock {
  return { type: 'thinking', thinking: text };
}

export function call(name: string, input: unknown): AnswerBlock {
  return { type: 'tool_use', name, input };
}

/** Quotes what the model was shown, by a regular expression. */
export function seen(pattern: string, as?: string) {
  return { $seen: { pattern, ...(as !== undefined && { as }) } };
}

export function turn(...content: AnswerBlock[]): Turn {
  return { answer: { content } };
}

export function conversation(
  name: string,
  turns: Turn[],
  options: Omit<Conversation, 'name' | 'turns'> = {},
): Conversation {
  return { name, ...options, turns };
}
