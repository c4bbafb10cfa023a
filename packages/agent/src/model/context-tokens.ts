/** How much a model can read at once, by its name; FETTLE_MODEL_CONTEXT_TOKENS says it of others. */

/** The first that fits counts. Of today's models by their own pages, November 2026; of older ones as they were known. A setting overrides it. */
const windows: { name: RegExp; tokens: number }[] = [
  {
    name: /^claude-(sonnet|opus|haiku)-4-5|^claude-(sonnet|opus|haiku)-4($|-\d{8})|^claude-3/,
    tokens: 200_000,
  },
  { name: /^claude-(sonnet|opus)-4-[6-8]/, tokens: 1_000_000 },
  { name: /^claude-(sonnet|opus|haiku|fable|mythos)-5/, tokens: 1_000_000 },
  { name: /^gpt-5\.[45]-(mini|nano)/, tokens: 400_000 },
  { name: /^gpt-5\.[45]/, tokens: 1_050_000 },
  { name: /^gpt-5/, tokens: 400_000 },
  { name: /^gpt-4\.1/, tokens: 1_047_576 },
  { name: /^claude-|^o[34]/, tokens: 200_000 },
];

/** What nearly every model that can use tools has. */
const leastTokens = 128_000;

export function contextTokensOf(model: string): number {
  return windows.find(({ name }) => name.test(model))?.tokens ?? leastTokens;
}
