import type { BudgetName, Budgets, ReasonCode, Totals } from '@fettle/contract';

export interface Spent extends Totals {
  seconds: number;
}

export interface Overspent {
  reason: ReasonCode;
  message: string;
}

const names: BudgetName[] = ['parts', 'turns', 'tokens', 'seconds'];

/** The first budget that has no room for one more model call. */
export function findOverspent(budgets: Budgets, spent: Spent): Overspent | undefined {
  const name = names.find((each) => spent[each] >= budgets[each]);
  if (!name) return undefined;
  return {
    reason: `budget_${name}`,
    message: `${Math.floor(spent[name])} of ${budgets[name]} ${name} are used up`,
  };
}
