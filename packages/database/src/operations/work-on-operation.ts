/** What the owner of an operation tells about it: that it lives, that it moved on, how it ended. */
import {
  FettleError,
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
import { type Client, toJson } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { expiryOf } from './claim-operation.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { fenced, moveOperation } from './move-operation.ts';
import { toOperation } from './operation-row.ts';

/** Tells the state, so that a worker learns of a cancellation; the lease grows only while there is work. */
export async function heartbeat(
  client: Client,
  input: { id: string; fence: number; totals: Totals; leaseSeconds: number },
): Promise<{ state: State }> {
  const { id, fence, totals, leaseSeconds } = input;
  return client.$transaction(async (tx) => {
    await tx.operation.updateMany({
      where: { id, fence, state: { in: workedStates } },
      data: { ...toColumns(totals), leaseExpiresAt: expiryOf(leaseSeconds) },
    });
    const found = await lockOperation(tx, id);
    if (found.fence !== fence) throw fenced(fence);
    return { state: found.state };
  });
}

/** For what the owner may do beside changing the state. */
export async function readOwned(
  client: Client,
  { id, fence }: { id: string; fence: number },
): Promise<{ state: State; repositoryId: string }> {
  const row = await client.operation.findUnique({ where: { id } });
  if (!row) throw operationNotFound(id);
  if (row.fence !== fence) throw fenced(fence);
  return { state: stateSchema.parse(row.state), repositoryId: row.repositoryId };
}

export async function transitionOperation(
  client: Client,
  input: TransitionInput & { id: string },
): Promise<Operation> {
  const { id, fence, from, to, message } = input;
  if (isSettled(to)) throw new FettleError('bad_request', `${to} needs an outcome: settle it.`, 'to');
  return client.$transaction(async (tx) => {
    const row = await moveOperation(tx, { id, fence, from, to });
    const attempt = row.attemptCount;
    await addEvents(tx, id, [
      { type: 'operation.state', from, to, attempt, ...(message !== undefined && { message }) },
    ]);
    if (to === 'queued') await addJob(tx, id, row.priority);
    return toOperation(row);
  });
}

export async function settleOperation(
  client: Client,
  input: SettleInput & { id: string },
): Promise<Operation> {
  const { id, fence, from, outcome, totals } = input;
  const to = stateAfter(outcome);
  return client.$transaction(async (tx) => {
    const data = { outcome: toJson(outcome), ...toColumns(totals) };
    const row = await moveOperation(tx, { id, fence, from, to, data });
    await addEvents(tx, id, [
      { type: 'operation.state', from, to, attempt: row.attemptCount, ...explain(outcome) },
      { type: 'operation.settled', state: to, outcome },
    ]);
    return toOperation(row);
  });
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

function toColumns({ parts, turns, tokens }: Totals) {
  return { totalParts: parts, totalTurns: turns, totalTokens: tokens };
}
