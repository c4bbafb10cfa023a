import { FettleError, mayFollow, type Operation, type Outcome, type State } from '@fettle/contract';
import { type Client, type Transaction, toJson } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { endAttempt, entering, isWorked } from './move-operation.ts';
import { operationInclude, readOperation, toOperation } from './operation-row.ts';

export interface Cancellation {
  operation: Operation;
  /** Whether a worker owned it: it learns of the end by its next heartbeat. */
  wasWorked: boolean;
}

/** The row is locked first, so that the state cannot move between the look and the change. */
export async function cancelOperation(
  client: Client,
  input: { id: string; organizationId: string; by: string },
): Promise<Cancellation> {
  const { id, organizationId, by } = input;
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    if (found.organizationId !== organizationId) throw operationNotFound(id);
    if (found.state === 'cancelled') {
      return { operation: toOperation(await readOperation(tx, id)), wasWorked: false };
    }
    if (!mayFollow(found.state, 'cancelled')) {
      throw new FettleError('conflict', `Operation ${id} is ${found.state} and cannot be cancelled.`);
    }
    return { operation: await cancel(tx, { id, from: found.state, by }), wasWorked: isWorked(found.state) };
  });
}

async function cancel(tx: Transaction, input: { id: string; from: State; by: string }): Promise<Operation> {
  const { id, from, by } = input;
  const outcome: Outcome = { kind: 'failure', reason: 'cancelled', message: `Cancelled by ${by}.` };
  const row = await tx.operation.update({
    where: { id },
    data: { ...entering('cancelled'), outcome: toJson(outcome) },
    include: operationInclude,
  });
  if (isWorked(from)) await endAttempt(tx, { id, attempt: row.attemptCount, state: 'cancelled' });
  const { reason, message } = outcome;
  await addEvents(tx, id, [
    { type: 'operation.state', from, to: 'cancelled', reason, message },
    { type: 'operation.settled', state: 'cancelled', outcome },
  ]);
  return toOperation(row);
}
