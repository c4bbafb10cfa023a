/** The budgets of an operation. Each model call reserves its maximum cost beforehand, so no budget is exceeded. */
import {
  type BudgetName,
  type Budgets,
  type ReasonCode,
  showUsd,
  type Totals,
  type Usage,
} from '@fettle/contract';
import type { Hooks, Objection, ParsedCall } from '../calls/hooks.ts';

export interface Spent extends Totals {
  seconds: number;
}

export interface Overspent {
  reason: ReasonCode;
  message: string;
}

/** In US dollars; undefined for a model whose price is unknown. */
export type CostOf = (usage: Usage) => number | undefined;

/** The size of the next call and the longest possible answer. */
export interface NextCall {
  inputTokens: number;
  maxOutputTokens: number;
}

export type Reservation = { ok: true; maxOutputTokens: number } | ({ ok: false } & Overspent);

const countedBudgets: BudgetName[] = ['parts', 'turns', 'seconds'];
/** A shorter answer would be useless. */
const minOutputTokens = 500;

/** Returns the longest answer that fits the budgets, or the budget that is used up. */
export function reserve(budgets: Budgets, spent: Spent, next: NextCall, costOf: CostOf): Reservation {
  const name = countedBudgets.find((each) => spent[each] >= budgets[each]);
  if (name) return overspent(name, `${Math.floor(spent[name])} of ${budgets[name]} ${name} are used up`);
  const tokensLeft = budgets.tokens - spent.tokens - next.inputTokens;
  if (tokensLeft < minOutputTokens)
    return overspent('tokens', `${spent.tokens} of ${budgets.tokens} tokens are used up, ${needed(next)}`);
  const affordable = affordableOutput(budgets.usd - spent.usd, next, costOf);
  if (affordable < minOutputTokens) {
    return overspent('usd', describeUsd(budgets.usd, spent.usd, leastCost(next, costOf), next));
  }
  return { ok: true, maxOutputTokens: Math.min(next.maxOutputTokens, tokensLeft, affordable) };
}

function overspent(name: BudgetName, message: string): Reservation {
  return { ok: false, reason: `budget_${name}`, message };
}

function needed({ inputTokens }: NextCall): string {
  return `and the next call needs ${inputTokens} tokens plus its answer`;
}

/** Nothing is used up if even the first call is too expensive. */
function describeUsd(budget: number, used: number, least: number, { inputTokens }: NextCall): string {
  const needs = `at least ${showUsd(least)} for ${inputTokens} tokens and a short answer`;
  return used === 0
    ? `the budget of ${showUsd(budget)} is smaller than the next call needs: ${needs}`
    : `${showUsd(used)} of ${showUsd(budget)} are used up, and the next call needs ${needs}`;
}

const noTokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Nothing is cached, so everything is sent anew or written to the cache. The highest cost counts. */
const variantsOf = ({ inputTokens }: NextCall): Usage[] => [
  { ...noTokens, inputTokens },
  { ...noTokens, cacheWriteTokens: inputTokens },
];

function affordableOutput(usdLeft: number, next: NextCall, costOf: CostOf): number {
  return Math.min(...variantsOf(next).map((sent) => outputFor(usdLeft, sent, costOf)));
}

/** The cost of the next call with the shortest useful answer. */
function leastCost(next: NextCall, costOf: CostOf): number {
  return Math.max(...variantsOf(next).map((sent) => costOf({ ...sent, outputTokens: minOutputTokens }) ?? 0));
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
  70: 'Plan the remaining work so that it fits.',
  90: 'Finish now: leave the files in a working state, and end with your summary and what is missing.',
};

/** The message for the model when a budget first reaches 70 or 90 percent. */
export function findWarning(budgets: Budgets, spent: Spent, warned: WarningLevel): Warning | undefined {
  const shares = names.map((name) => ({ name, percent: (spent[name] / budgets[name]) * 100 }));
  const fullest = shares.reduce((a, b) => (b.percent > a.percent ? b : a));
  const level = levels.find((each) => fullest.percent >= each);
  if (level === undefined || level <= warned) return undefined;
  const { name, percent } = fullest;
  const left = Math.max(0, budgets[name] - spent[name]);
  const unit = name === 'usd' ? 'US dollars' : name;
  const rest = name === 'usd' ? showUsd(left) : Math.floor(left);
  return {
    level,
    text: `(Fettle: ${Math.floor(percent)} percent of the budget of ${unit} is used; left: ${rest}. ${advice[level]})`,
  };
}

/** Aborts when the time budget is used up, even in the middle of an answer: a slow stream could last for ever. */
export function deadlineFor(budgets: Budgets, secondsSpent: number): AbortSignal {
  const secondsLeft = Math.max(0.001, budgets.seconds - secondsSpent);
  return AbortSignal.timeout(Math.ceil(secondsLeft * 1000));
}

/** A budget is reserved per answer, but one answer can have hundreds of calls: calls over a budget do not run. */
export function withinBudgets(hooks: Hooks, budgets: Budgets, secondsSpent: () => number): Hooks {
  const refuse = ({ part = 0 }: ParsedCall): Objection | undefined => {
    const isOver = { parts: part > budgets.parts, seconds: secondsSpent() >= budgets.seconds };
    const name = isOver.parts ? 'parts' : isOver.seconds ? 'seconds' : undefined;
    return name && { kind: 'block', reason: `the budget of ${budgets[name]} ${name} is used up.` };
  };
  return { ...hooks, afterPolicy: [refuse, ...hooks.afterPolicy] };
}
