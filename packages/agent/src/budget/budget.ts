/** What an operation may use up. Room for a whole model call is reserved before it is made, so that none goes over. */
import type { BudgetName, Budgets, ReasonCode, Totals, Usage } from '@fettle/contract';

export interface Spent extends Totals {
  seconds: number;
}

export interface Overspent {
  reason: ReasonCode;
  message: string;
}

/** In US dollars; nothing for a model whose prices are not known. */
export type CostOf = (usage: Usage) => number | undefined;

/** What the next call will send, and may be answered. */
export interface NextCall {
  inputTokens: number;
  maxOutputTokens: number;
}

export type Reservation = { ok: true; maxOutputTokens: number } | ({ ok: false } & Overspent);

const counted: BudgetName[] = ['parts', 'turns', 'seconds'];
/** An answer that could not be longer than this would be of no use. */
const leastOutputTokens = 500;

/** How long the next answer may be, at most; or which budget has no room for it. */
export function reserve(budgets: Budgets, spent: Spent, next: NextCall, costOf: CostOf): Reservation {
  const name = counted.find((each) => spent[each] >= budgets[each]);
  if (name) return overspent(name, `${Math.floor(spent[name])} of ${budgets[name]} ${name} are used up`);
  const tokensLeft = budgets.tokens - spent.tokens - next.inputTokens;
  if (tokensLeft < leastOutputTokens)
    return overspent('tokens', `${spent.tokens} of ${budgets.tokens} tokens are used up, ${needed(next)}`);
  const affordable = affordableOutput(budgets.usd - spent.usd, next, costOf);
  if (affordable < leastOutputTokens) {
    const used = `${spent.usd.toFixed(2)} of ${budgets.usd.toFixed(2)} US dollars are used up`;
    return overspent('usd', `${used}, ${needed(next)}`);
  }
  return { ok: true, maxOutputTokens: Math.min(next.maxOutputTokens, tokensLeft, affordable) };
}

function overspent(name: BudgetName, message: string): Reservation {
  return { ok: false, reason: `budget_${name}`, message };
}

function needed({ inputTokens }: NextCall): string {
  return `and the next call would need ${inputTokens} tokens and its answer`;
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** At the dearest: nothing of what is sent is in the cache any more. To write it there costs more than that, or nothing. */
function affordableOutput(usdLeft: number, { inputTokens }: NextCall, costOf: CostOf): number {
  const ways = [{ inputTokens }, { cacheWriteTokens: inputTokens }];
  return Math.min(...ways.map((sent) => outputFor(usdLeft, { ...nothing, ...sent }, costOf)));
}

function outputFor(usdLeft: number, sent: Usage, costOf: CostOf): number {
  const sending = costOf(sent);
  const both = costOf({ ...sent, outputTokens: 1_000_000 });
  if (sending === undefined || both === undefined || both === sending) return Number.POSITIVE_INFINITY;
  return Math.floor(((usdLeft - sending) / (both - sending)) * 1_000_000);
}

export function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

const levels = [90, 70] as const;
export type WarningLevel = (typeof levels)[number] | 0;

export interface Warning {
  level: Exclude<WarningLevel, 0>;
  text: string;
}

const names: BudgetName[] = ['parts', 'turns', 'tokens', 'usd', 'seconds'];
const advice = {
  70: 'Plan what is left so that it fits.',
  90: 'Wrap up now: leave the files in a state that works, and end with your summary and what is missing.',
};

/** What the model is told when a budget first reaches 70 percent, and 90. */
export function findWarning(budgets: Budgets, spent: Spent, warned: WarningLevel): Warning | undefined {
  const shares = names.map((name) => ({ name, percent: (spent[name] / budgets[name]) * 100 }));
  const fullest = shares.reduce((a, b) => (b.percent > a.percent ? b : a));
  const level = levels.find((each) => fullest.percent >= each);
  if (level === undefined || level <= warned) return undefined;
  const { name, percent } = fullest;
  const left = Math.max(0, budgets[name] - spent[name]);
  const unit = name === 'usd' ? 'US dollars' : name;
  const rest = name === 'usd' ? left.toFixed(2) : Math.floor(left);
  return {
    level,
    text: `(Fettle: ${Math.floor(percent)} percent of the ${unit} are used; left: ${rest}. ${advice[level]})`,
  };
}
