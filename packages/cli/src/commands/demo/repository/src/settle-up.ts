import type { Cents } from './money.ts';
import { splitBill } from './split-bill.ts';

export interface Expense {
  paidBy: string;
  total: Cents;
  sharedBy: string[];
}

/** What each person gets back (above zero) or still owes (below zero). All balances add up to zero. */
export function settleUp(expenses: Expense[]): Map<string, Cents> {
  const balances = new Map<string, Cents>();
  const add = (person: string, cents: Cents) => balances.set(person, (balances.get(person) ?? 0) + cents);
  for (const { paidBy, total, sharedBy } of expenses) {
    add(paidBy, total);
    for (const { person, cents } of splitBill(total, sharedBy)) add(person, -cents);
  }
  return balances;
}
