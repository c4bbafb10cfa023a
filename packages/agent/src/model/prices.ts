/** Token prices as data: an estimate for budgets and people, not a bill. */
import type { Usage } from '@fettle/contract';

/** The date when the list was last compared with its sources. */
export const pricesOf = '2026-11-16';

/** US dollars per million tokens. */
interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  /** For five minutes, the only kind that we request. 0 if a service caches automatically. */
  cacheWrite: number;
}

interface PricedModel {
  name: RegExp;
  prices: Prices;
  /** Prices for the whole request if its prompt, including cached tokens, is longer than this. */
  long?: { above: number; prices: Prices };
}

const of = (input: number, output: number, cacheRead: number, cacheWrite: number): Prices => ({
  ...{ input, output, cacheRead, cacheWrite },
});

/**
 * List prices; the first match counts. The price of a model that is not listed is unknown (claude-fable-5-2 and
 * claude-mythos-5-2 had no public price).
 */
const list: PricedModel[] = [
  // The recorded model of the demo.
  { name: /^claude-rehearsal$/, prices: of(0, 0, 0, 0) },
  // platform.claude.com/docs: the price list, and for 5.5 the model pages. The prices of 5.5 for cache and for long
  // prompts come from third-party lists that cite that page (October 2026).
  { name: /^claude-(fable|mythos)-5-1\b/, prices: of(10, 50, 0.25, 12.5) },
  { name: /^claude-(fable|mythos)-5$/, prices: of(10, 50, 1, 12.5) },
  { name: /^claude-opus-5-5\b/, prices: of(4, 20, 0.2, 5) },
  { name: /^claude-opus-(5$|4-[5-8]\b)/, prices: of(5, 25, 0.5, 6.25) },
  { name: /^claude-sonnet-5-5\b/, prices: of(2, 10, 0.1, 2.5) },
  { name: /^claude-sonnet-5$/, prices: of(2, 10, 0.2, 2.5) },
  { name: /^claude-sonnet-4-[56]\b/, prices: of(3, 15, 0.3, 3.75) },
  {
    name: /^claude-haiku-5-5\b/,
    prices: of(0.1, 0.5, 0.01, 0.125),
    long: { above: 100_000, prices: of(0.5, 2.5, 0.05, 0.625) },
  },
  { name: /^claude-haiku-4-5\b/, prices: of(1, 5, 0.1, 1.25) },
  // developers.openai.com/docs/models for 5.5 and 5.4. From third-party lists: gpt-5, long prompts of 5.4, and a tenth
  // for cached tokens. Whether 5.5 costs more for long prompts is unknown.
  { name: /^gpt-5\.5(-\d{4}|$)/, prices: of(5, 30, 0.5, 0) },
  {
    name: /^gpt-5\.4(-\d{4}|$)/,
    prices: of(2.5, 15, 0.25, 0),
    long: { above: 272_000, prices: of(5, 22.5, 0.5, 0) },
  },
  { name: /^gpt-5\.4-mini/, prices: of(0.75, 4.5, 0.075, 0) },
  { name: /^gpt-5(\.1)?(-\d{4}|$)/, prices: of(1.25, 10, 0.125, 0) },
];

/** US dollars for one answer; undefined if the price is unknown. */
export function costOf(model: string, usage: Usage): number | undefined {
  const found = list.find(({ name }) => name.test(model));
  if (!found) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  const { long } = found;
  const prices = long && promptTokens > long.above ? long.prices : found.prices;
  const millionths =
    inputTokens * prices.input +
    outputTokens * prices.output +
    cacheReadTokens * prices.cacheRead +
    cacheWriteTokens * prices.cacheWrite;
  return millionths / 1_000_000;
}
