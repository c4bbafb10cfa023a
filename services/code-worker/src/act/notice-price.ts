import { costOf, pricesOf } from '@fettle/agent';
import type { Work } from '../attempt/attempt.ts';

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Where nobody knows what the model costs, the budget of money cannot bind, and that is said. */
export async function noticePrice({ model, record }: Work): Promise<void> {
  if (costOf(model.name, nothing) !== undefined) return;
  const message = `The price of ${model.name} is not on the list of ${pricesOf}: the budget of US dollars does not bind, the one of tokens does.`;
  await record({ type: 'notice', level: 'warning', code: 'price_unknown', message });
}
