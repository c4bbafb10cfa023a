/**
 * Context windows by model name; the first match counts. Current models as documented in November 2026.
 * FETTLE_MODEL_CONTEXT_TOKENS overrides this.
 */
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

/** Nearly every model with tool support has at least this. */
const fallbackTokens = 128_000;

export function contextTokensOf(model: string): number {
  return windows.find(({ name }) => name.test(model))?.tokens ?? fallbackTokens;
}
