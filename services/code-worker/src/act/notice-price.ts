import { costOf, pricesOf } from '@fettle/agent';
import type { Attempt } from '../attempt/attempt.ts';

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Warns that the dollar budget has no effect if the price of the model is unknown. */
export async function noticePrice({ model, record }: Pick<Attempt, 'model' | 'record'>): Promise<void> {
  if (costOf(model.name, nothing) !== undefined) return;
  const message = `The dollar budget is not enforced: the price of ${model.name} is unknown (prices as of ${pricesOf}). The token budget still applies.`;
  await record.append({ type: 'notice', level: 'warning', code: 'price_unknown', message });
}
