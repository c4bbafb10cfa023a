import type { Totals } from '@fettle/contract';
import type { Message, UserItem } from './model/model.ts';

/** The conversation of one operation, as it grows. */
export interface Conversation {
  messages: Message[];
  totals: Totals;
}

export function startConversation(): Conversation {
  return { messages: [], totals: { parts: 0, turns: 0, tokens: 0 } };
}

/** Adds what we say to the model; two things said in a row become one message. */
export function tell(conversation: Conversation, items: UserItem[]): void {
  const last = conversation.messages.at(-1);
  if (last?.role === 'user') last.items.push(...items);
  else conversation.messages.push({ role: 'user', items });
}
