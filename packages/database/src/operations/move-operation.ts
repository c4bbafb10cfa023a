/** Changes the state of an operation that a worker owns, by an update that names the expected state and fencing number. */
import { FettleError, isSettled, mayFollow, type State, workedStates } from '@fettle/contract';
import type { Transaction } from '../client.ts';
import type { Prisma } from '../generated/client.ts';
import { type LockedOperation, lockOperation } from './lock-operation.ts';
import { type OperationRow, readOperation } from './operation-row.ts';

export interface Move {
  id: string;
  fence: number;
  from: State;
  to: State;
  data?: Prisma.OperationUncheckedUpdateManyInput;
}

export async function moveOperation(
  tx: Transaction,
  { id, fence, from, to, data }: Move,
): Promise<OperationRow> {
  if (!mayFollow(from, to))
    throw new FettleError('conflict', `An operation cannot change from ${from} to ${to}.`, 'to');
  const { count } = await tx.operation.updateMany({
    where: { id, fence, state: from },
    data: { ...entering(to), ...data },
  });
  if (count === 0) throw explainRefusal(await lockOperation(tx, id), { id, fence, from });
  const row = await readOperation(tx, id);
  if (isWorked(from) && !isWorked(to)) await endAttempt(tx, { id, attempt: row.attemptCount, state: to });
  return row;
}

/** The columns that change whenever an operation enters a state. */
export function entering(state: State) {
  const now = new Date();
  return {
    state,
    stateSince: now,
    settledAt: isSettled(state) ? now : null,
    // A settled operation cannot be paused or resumed.
    ...(isSettled(state) && { pauseAskedBy: null }),
    ...(!isWorked(state) && { leaseExpiresAt: null }),
  };
}

export async function endAttempt(
  tx: Transaction,
  { id, attempt, state }: { id: string; attempt: number; state: State },
): Promise<void> {
  await tx.attempt.updateMany({
    where: { operationId: id, number: attempt, endedAt: null },
    data: { endedAt: new Date(), endState: state },
  });
}

export function isWorked(state: State): boolean {
  return (workedStates as readonly State[]).includes(state);
}

/** For writes that do not change the state: the caller must own the operation, and it must not have ended. */
export function assertOwned(operation: LockedOperation, fence: number | undefined): void {
  if (fence !== undefined && operation.fence !== fence) throw fenced(fence);
  if (!isWorked(operation.state)) throw new FettleError('conflict', `The operation is ${operation.state}.`);
}

function explainRefusal(found: LockedOperation, expected: { id: string; fence: number; from: State }) {
  if (found.fence !== expected.fence) return fenced(expected.fence);
  return new FettleError('conflict', `Operation ${expected.id} is ${found.state}, not ${expected.from}.`);
}

export function fenced(fence: number): FettleError {
  return new FettleError('fenced', `Fencing number ${fence} is not that of the latest claim.`, 'fence');
}
