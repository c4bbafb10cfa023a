/** Follows what people do with the pull request of a proposal outside of Fettle: they merge, close or reopen it. */
import { mayFollow, type Operation, type State } from '@fettle/contract';
import type { Client, Transaction } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { endRevision, isRevising } from './end-revision.ts';
import { lockOperation } from './lock-operation.ts';
import { entering, isWorked } from './move-operation.ts';
import { operationInclude, readOperation, toOperation } from './operation-row.ts';

export type PullRequestEnd = 'merged' | 'closed' | 'open';

export interface PullRequestChange {
  id: string;
  now: PullRequestEnd;
  message: string;
}

export interface FollowedChange {
  operation: Operation;
  /** Whether the state of the operation changed. */
  changed: boolean;
  /** Whether a worker owned the operation. It stops at its next heartbeat. */
  wasWorked: boolean;
}

const stateFor: Record<PullRequestEnd, State> = {
  merged: 'merged',
  closed: 'rejected',
  open: 'awaiting_approval',
};

/** Idempotent. A running revision ends first. An operation that the change does not concern stays as it is. */
export async function followPullRequest(
  client: Client,
  { id, now, message }: PullRequestChange,
): Promise<FollowedChange> {
  return client.$transaction(async (tx) => {
    await lockOperation(tx, id);
    const before = await readOperation(tx, id);
    const wasWorked = isWorked(toOperation(before).state);
    const from = await prepare(tx, { id, now, message });
    const to = stateFor[now];
    const isConcerned = now === 'open' ? from === 'rejected' : mayFollow(from, to);
    await tx.pullRequest.updateMany({ where: { operationId: id }, data: { state: now, remoteState: now } });
    if (!isConcerned)
      return { operation: toOperation(await readOperation(tx, id)), changed: false, wasWorked };
    const row = await tx.operation.update({
      where: { id },
      data: { ...entering(to), hearingClosed: true },
      include: operationInclude,
    });
    const operation = toOperation(row);
    await addEvents(tx, id, [
      { type: 'operation.state', from, to, message },
      ...(operation.outcome
        ? [{ type: 'operation.settled' as const, state: to, outcome: operation.outcome }]
        : []),
    ]);
    return { operation, changed: true, wasWorked };
  });
}

/** Ends a running revision, and notices that a pull request was reopened before it was merged. Returns the state after that. */
async function prepare(tx: Transaction, { id, now, message }: PullRequestChange): Promise<State> {
  const row = await readOperation(tx, id);
  const { state } = toOperation(row);
  if (now === 'merged' && state === 'rejected') {
    await tx.operation.update({ where: { id }, data: entering('awaiting_approval') });
    await addEvents(tx, id, [{ type: 'operation.state', from: state, to: 'awaiting_approval', message }]);
    return 'awaiting_approval';
  }
  if (now === 'open' || !isRevising(row)) return state;
  const outcome = { kind: 'failure' as const, reason: 'cancelled' as const, message };
  // The worker of the revision must not push any more, so its fencing number becomes outdated.
  await endRevision(tx, { id, from: state, outcome, data: { fence: { increment: 1 } } });
  return 'awaiting_approval';
}
