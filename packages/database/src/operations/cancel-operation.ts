import { FettleError, mayFollow, type Operation, type Outcome } from '@fettle/contract';
import type { Client } from '../client.ts';
import { endOperation } from './end-operation.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { isWorked } from './move-operation.ts';
import { readOperation, toOperation } from './operation-row.ts';

export interface Cancellation {
  operation: Operation;
  /** Whether a worker owned the operation. It learns of the cancellation with its next heartbeat. */
  wasWorked: boolean;
}

/** Locks the row first, so that the state cannot change between the check and the update. */
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
    const outcome: Outcome = { kind: 'failure', reason: 'cancelled', message: `Cancelled by ${by}.` };
    const operation = await endOperation(tx, { id, from: found.state, to: 'cancelled', outcome });
    return { operation, wasWorked: isWorked(found.state) };
  });
}
