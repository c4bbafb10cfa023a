import type { Totals } from '@fettle/contract';
import type { WarningLevel } from '../budget/budget.ts';
import type { Message, UserItem } from '../model/model.ts';

/** The conversation of one operation, as it grows. */
export interface Conversation {
  messages: Message[];
  totals: Totals;
  /** The highest budget warning that the model has got. */
  warned: WarningLevel;
}

export function startConversation(): Conversation {
  return { messages: [], totals: { parts: 0, turns: 0, tokens: 0, usd: 0 }, warned: 0 };
}

/** Adds items to the user message at the end, or starts a new one. */
export function addUserItems({ messages }: Pick<Conversation, 'messages'>, items: UserItem[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user') last.items.push(...items);
  else messages.push({ role: 'user', items: [...items] });
}

/** The last text that the model wrote. */
export function lastTextOf({ messages }: Pick<Conversation, 'messages'>): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant') continue;
    const said = message.blocks.findLast((block) => block.kind === 'text');
    if (said) return said.text;
  }
  return undefined;
}
