/** Requests of the worker that owns an operation: heartbeat, transition, settle. */
import {
  FettleError,
  type Heartbeat,
  isSettled,
  type Operation,
  type Outcome,
  type SettleInput,
  type State,
  stateSchema,
  type Totals,
  type TransitionInput,
  workedStates,
} from '@fettle/contract';
import { type Client, type Transaction, toJson } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { type Repository, toRepository } from '../repositories.ts';
import { expiryOf } from './claim-operation.ts';
import { orderedCleanUp } from './clean-up.ts';
import { closePullRequest } from './end-operation.ts';
import { endRevision, isRevising } from './end-revision.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { fenced, isWorked, moveOperation } from './move-operation.ts';
import { readOperation, toColumns, toOperation } from './operation-row.ts';

/** Returns the state, so that a worker learns of a cancellation. Extends the lease only while the operation is being worked on. */
export async function heartbeat(
  client: Client,
  input: { id: string; fence: number; totals: Totals; leaseSeconds: number },
): Promise<Heartbeat> {
  const { id, fence, totals, leaseSeconds } = input;
  return client.$transaction(async (tx) => {
    await tx.operation.updateMany({
      where: { id, fence, state: { in: workedStates } },
      data: { ...toColumns(totals), leaseExpiresAt: expiryOf(leaseSeconds) },
    });
    const found = await lockOperation(tx, id);
    if (found.fence !== fence) throw fenced(fence);
    const { state, pauseAskedBy, messageCount } = found;
    return { state, pauseRequested: pauseAskedBy !== null, messageCount };
  });
}

/** Checks ownership, for requests that do not change the state. */
export async function readOwned(
  client: Client,
  { id, fence }: { id: string; fence: number },
): Promise<{ state: State; organizationId: string; repositoryId: string; repository: Repository }> {
  const row = await client.operation.findUnique({ where: { id }, include: { repository: true } });
  if (!row) throw operationNotFound(id);
  if (row.fence !== fence) throw fenced(fence);
  const { organizationId, repositoryId, repository } = row;
  return {
    state: stateSchema.parse(row.state),
    ...{ organizationId, repositoryId },
    repository: toRepository(repository),
  };
}

export async function transitionOperation(
  client: Client,
  input: TransitionInput & { id: string },
): Promise<Operation> {
  const { id, fence, delivered, from, to, message } = input;
  if (!isWorked(to)) {
    const advice = isSettled(to) ? 'use settle' : 'use release';
    throw new FettleError('bad_request', `${to} cannot be reached by a transition: ${advice}.`, 'to');
  }
  return client.$transaction(async (tx) => {
    if (await isThereAlready(tx, { id, fence, state: to })) return toOperation(await readOperation(tx, id));
    await assertAllDelivered(tx, { id, delivered });
    // The commit is final from here on, so the agent will not see further messages.
    const data = to === 'proposing' ? { hearingClosed: true } : {};
    const row = await moveOperation(tx, { id, fence, from, to, data });
    const attempt = row.attemptCount;
    await addEvents(tx, id, [
      { type: 'operation.state', from, to, attempt, ...(message !== undefined && { message }) },
    ]);
    return toOperation(row);
  });
}

export async function settleOperation(
  client: Client,
  input: SettleInput & { id: string },
): Promise<Operation> {
  const { id, fence, delivered, from, outcome, totals } = input;
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    const before = await readOperation(tx, id);
    const revises = isRevising({ ...before, state: from });
    const to = revises ? 'awaiting_approval' : stateAfter(outcome);
    if (found.fence === fence && found.state === to) return toOperation(before);
    await assertAllDelivered(tx, { id, delivered });
    if (outcome.kind === 'proposal' && from !== 'proposing')
      throw new FettleError('conflict', `An operation that is ${from} has not pushed a proposal.`, 'from');
    if (outcome.kind !== 'proposal' && revises) {
      await moveOperation(tx, { id, fence, from, to, data: toColumns(totals) });
      return endRevision(tx, { id, from, outcome });
    }
    const data = {
      ...{ outcome: toJson(outcome), ...toColumns(totals), lostAttempts: 0, lostAt: null },
      // An earlier attempt may have pushed a branch.
      ...(outcome.kind === 'failure' && orderedCleanUp()),
    };
    const row = await moveOperation(tx, { id, fence, from, to, data });
    if (outcome.kind !== 'proposal') await closePullRequest(tx, id);
    await addEvents(tx, id, [
      { type: 'operation.state', from, to, attempt: row.attemptCount, ...explain(outcome) },
      { type: 'operation.settled', state: to, outcome },
    ]);
    return toOperation(row);
  });
}

/** A repeated request of the owner, which did not get the answer. */
async function isThereAlready(
  tx: Transaction,
  { id, fence, state }: { id: string; fence: number; state: State },
): Promise<boolean> {
  const found = await lockOperation(tx, id);
  return found.fence === fence && found.state === state;
}

/** The agent is not done while there are messages that it has not seen. */
async function assertAllDelivered(
  tx: Transaction,
  { id, delivered }: { id: string; delivered: number | undefined },
): Promise<void> {
  const { messageCount } = await lockOperation(tx, id);
  if (delivered === undefined || messageCount <= delivered) return;
  const message = `The agent has seen message ${delivered}, but message ${messageCount} is pending.`;
  throw new FettleError('messages_pending', message);
}

function stateAfter(outcome: Outcome): State {
  switch (outcome.kind) {
    case 'proposal':
      return 'awaiting_approval';
    case 'answer':
      return 'answered';
    case 'unchanged':
      return 'unchanged';
    case 'failure':
      return outcome.reason === 'cancelled' ? 'cancelled' : 'failed';
  }
}

function explain(outcome: Outcome): Pick<Extract<Outcome, { kind: 'proposal' }>, 'reason' | 'message'> {
  if (outcome.kind === 'answer') return {};
  const { message } = outcome;
  return {
    ...('reason' in outcome && outcome.reason !== undefined && { reason: outcome.reason }),
    ...(message !== undefined && { message }),
  };
}
