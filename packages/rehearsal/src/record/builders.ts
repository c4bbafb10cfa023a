/** Builds conversations in tests: conversation('fix', [turn(call('read', { path: 'a' })), turn(say('Done.'))]) */
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

/** Quotes a text that the model has seen, found by a regular expression. */
export function seen(pattern: string, as?: string) {
  return { $seen: { pattern, ...(as !== undefined && { as }) } };
}

export function turn(...content: AnswerBlock[]): Turn {
  return { answer: { content } };
}

/** A turn that ends with this stop reason. */
export function stopped(
  stop_reason: NonNullable<Turn['answer']['stop_reason']>,
  ...content: AnswerBlock[]
): Turn {
  return { answer: { content, stop_reason } };
}

export function conversation(
  name: string,
  turns: Turn[],
  options: Omit<Conversation, 'name' | 'turns'> = {},
): Conversation {
  return { name, ...options, turns };
}

/** Answers the requests that contain these words. */
export function conversationFor(words: string, ...turns: Turn[]): Conversation {
  return conversation(words, turns, { match: words });
}
