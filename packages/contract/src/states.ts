import { z } from 'zod';

/** Every state of an operation with the states that may follow it. This is the only such table. */
export const transitions = {
  queued: ['preparing', 'failed', 'cancelled', 'expired'],
  preparing: ['acting', 'awaiting_plan', 'queued', 'failed', 'cancelled', 'expired'],
  awaiting_plan: ['acting', 'rejected', 'cancelled', 'expired'],
  acting: ['verifying', 'answered', 'unchanged', 'queued', 'failed', 'cancelled', 'expired'],
  verifying: ['acting', 'proposing', 'queued', 'failed', 'cancelled', 'expired'],
  proposing: ['awaiting_approval', 'unchanged', 'queued', 'failed', 'cancelled', 'expired'],
  awaiting_approval: ['approved', 'queued', 'rejected', 'cancelled', 'expired'],
  approved: ['merging', 'rejected', 'cancelled', 'expired'],
  merging: ['merged', 'awaiting_approval', 'failed'],
  merged: ['deploying'],
  deploying: ['released', 'failed'],
  released: [],
  answered: [],
  unchanged: [],
  rejected: [],
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

/** States in which a worker owns the operation. */
export const workedStates = ['preparing', 'acting', 'verifying', 'proposing'] as const satisfies State[];

/** States in which nothing happens any more unless a person does something. */
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
