import { z } from 'zod';

/**
 * Every state of an operation, with the states that may follow it. This is the only such table. A revision that ends
 * without a new commit returns to `awaiting_approval` from wherever it is, because its proposal still stands.
 */
export const transitions = {
  queued: ['preparing', 'paused', 'awaiting_approval', 'failed', 'cancelled', 'expired'],
  paused: ['queued', 'awaiting_approval', 'cancelled', 'expired'],
  preparing: [
    ...['acting', 'proposing', 'awaiting_plan', 'awaiting_approval'],
    ...['queued', 'paused', 'failed', 'cancelled', 'expired'],
  ],
  awaiting_plan: ['queued', 'cancelled', 'expired'],
  acting: [
    ...['verifying', 'awaiting_plan', 'awaiting_approval', 'answered', 'unchanged'],
    ...['queued', 'paused', 'failed', 'cancelled', 'expired'],
  ],
  verifying: [
    ...['acting', 'proposing', 'awaiting_approval'],
    ...['queued', 'paused', 'failed', 'cancelled', 'expired'],
  ],
  proposing: ['awaiting_approval', 'unchanged', 'queued', 'paused', 'failed', 'cancelled', 'expired'],
  // People can merge, close and reopen a pull request by hand, without Fettle.
  awaiting_approval: ['approved', 'queued', 'merged', 'rejected', 'cancelled', 'expired'],
  approved: ['merging', 'merged', 'rejected', 'cancelled', 'expired'],
  merging: ['merged', 'awaiting_approval', 'failed'],
  merged: ['deploying'],
  deploying: ['released', 'failed'],
  released: [],
  answered: [],
  unchanged: [],
  rejected: ['awaiting_approval'],
  failed: [],
  cancelled: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type State = keyof typeof transitions;
export const states = Object.keys(transitions) as [State, ...State[]];
export const stateSchema = z.enum(states);

export function mayFollow(from: State, to: State): boolean {
  return (transitions[from] as readonly State[]).includes(to);
}

/** Whether no state can follow. Work on such an operation is wasted. */
export function isEnded(state: State): boolean {
  return transitions[state].length === 0;
}

/** States in which a worker owns the operation. */
export const workedStates = ['preparing', 'acting', 'verifying', 'proposing'] as const satisfies State[];

/** States in which the agent will still see messages, now or when its work continues. */
export const messageStates = [
  'queued',
  'paused',
  'preparing',
  'awaiting_plan',
  'acting',
  'verifying',
] as const satisfies State[];

/** States in which nothing happens until a person acts. */
export const settledStates = [
  'awaiting_approval',
  'answered',
  'unchanged',
  'rejected',
  'failed',
  'cancelled',
  'expired',
  'merged',
  'released',
] as const satisfies State[];

export function isSettled(state: State): boolean {
  return (settledStates as readonly State[]).includes(state);
}

const hour = 3_600;
const day = 24 * hour;

/** How many seconds an operation may stay in a state before it becomes `expired`. Other states have no limit. */
export const defaultStateLimits: { [Name in State]?: number } = {
  queued: day,
  paused: 30 * day,
  preparing: 2 * hour,
  awaiting_plan: 7 * day,
  acting: day,
  verifying: 12 * hour,
  proposing: 12 * hour,
  awaiting_approval: 30 * day,
  approved: 7 * day,
};
