import type { Budgets } from '@fettle/contract';
import type { Hooks, JudgedCall, Objection } from '../calls/hooks.ts';

/** Room for an answer is reserved before it, and yet it may have hundreds of calls: those beyond a budget are not carried out. */
export function withinBudgets(hooks: Hooks, budgets: Budgets, secondsSpent: () => number): Hooks {
  const refuse = ({ part = 0 }: JudgedCall): Objection | undefined => {
    const isOver = { parts: part > budgets.parts, seconds: secondsSpent() >= budgets.seconds };
    const name = isOver.parts ? 'parts' : isOver.seconds ? 'seconds' : undefined;
    return name && { kind: 'block', reason: `the ${budgets[name]} ${name} of this work are used up.` };
  };
  return { ...hooks, afterPolicy: [refuse, ...hooks.afterPolicy] };
}
