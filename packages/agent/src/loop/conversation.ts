import type { Totals } from '@fettle/contract';
import type { WarningLevel } from '../budget/budget.ts';
import type { Message, UserItem } from '../model/model.ts';

/** The conversation of one operation, as it grows. */
export interface Conversation {
  messages: Message[];
  totals: Totals;
  /** How far the model has been told that a budget is used up. */
  warned: WarningLevel;
}

export function startConversation(): Conversation {
  return { messages: [], totals: { parts: 0, turns: 0, tokens: 0, usd: 0 }, warned: 0 };
}

/** Adds what we say to the model; two things said in a row become one message. */
export function tell({ messages }: Pick<Conversation, 'messages'>, items: UserItem[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user') last.items.push(...items);
  else messages.push({ role: 'user', items: [...items] });
}

/** What the model said last in words. */
export function lastWordsOf({ messages }: Pick<Conversation, 'messages'>): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant') continue;
    const said = message.blocks.findLast((block) => block.kind === 'text');
    if (said) return said.text;
  }
  return undefined;
}
