import { z } from 'zod';

const limit = z.int().positive();

/** The limits of an operation. Each is checked before every model call. */
export const budgetsSchema = z.strictObject({
  parts: limit.max(10_000),
  turns: limit.max(5_000),
  tokens: limit.max(1_000_000_000),
  usd: z.number().positive().max(100_000).describe('US dollars at list prices'),
  seconds: limit.max(7 * 24 * 3600),
});
export type Budgets = z.infer<typeof budgetsSchema>;
export type BudgetName = keyof Budgets;

export const defaultBudgets: Budgets = {
  parts: 400,
  turns: 150,
  tokens: 5_000_000,
  usd: 10,
  seconds: 3600,
};

/** Combines several budgets. A later layer can lower a limit, never raise it. */
export function tightestBudgets(base: Budgets, ...layers: (PartialBudgets | undefined)[]): Budgets {
  const result = { ...base };
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {}) as [BudgetName, number | undefined][]) {
      if (value !== undefined) result[name] = Math.min(result[name], value);
    }
  }
  return result;
}

/** An amount of US dollars, with four decimals where two would hide it. */
export function showUsd(usd: number): string {
  const isShown = usd >= 0.1 || Math.abs(Math.round(usd * 100) / 100 - usd) < 1e-9;
  if (isShown) return `$${usd.toFixed(2)}`;
  return usd < 0.0001 ? '<$0.0001' : `$${usd.toFixed(4)}`;
}

export const partialBudgetsSchema = budgetsSchema.partial();
export type PartialBudgets = z.infer<typeof partialBudgetsSchema>;

/** What an operation has used so far. */
export const totalsSchema = z.object({
  parts: z.int(),
  turns: z.int(),
  tokens: z.int(),
  usd: z.number().default(0).describe('At list prices; 0 for a model with unknown prices'),
});
export type Totals = z.infer<typeof totalsSchema>;
