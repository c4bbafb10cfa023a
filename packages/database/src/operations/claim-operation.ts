import { type Claim, FettleError } from '@fettle/contract';
import type { Client, Transaction } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { toForge } from '../repositories.ts';
import { lockOperation } from './lock-operation.ts';
import { entering } from './move-operation.ts';
import { type OperationRow, readOperation, toOperation } from './operation-row.ts';

export type ClaimedOperation = Omit<Claim, 'budgets' | 'leaseSeconds'>;

/** Of many workers that try at once, one gets the operation. */
export async function claimOperation(
  client: Client,
  input: { id: string; worker: string; leaseSeconds: number },
): Promise<ClaimedOperation> {
  const { id, worker, leaseSeconds } = input;
  return client.$transaction(async (tx) => {
    const { count } = await tx.operation.updateMany({
      where: { id, state: 'queued' },
      data: {
        ...entering('preparing'),
        fence: { increment: 1 },
        attemptCount: { increment: 1 },
        leaseExpiresAt: expiryOf(leaseSeconds),
      },
    });
    if (count === 0) {
      const { state } = await lockOperation(tx, id);
      throw new FettleError('conflict', `Operation ${id} is ${state}: there is nothing to claim.`);
    }
    const row = await readOperation(tx, id);
    await recordAttempt(tx, row, worker);
    return toClaim(row);
  });
}

export function expiryOf(leaseSeconds: number): Date {
  return new Date(Date.now() + leaseSeconds * 1000);
}

async function recordAttempt(tx: Transaction, row: OperationRow, worker: string): Promise<void> {
  const { id, attemptCount: attempt, fence } = row;
  await tx.attempt.create({
    data: { operationId: id, number: attempt, fence, worker, startedAt: row.stateSince },
  });
  await addEvents(tx, id, [
    { type: 'operation.state', from: 'queued', to: 'preparing', attempt },
    { type: 'attempt.started', attempt, worker },
  ]);
}

function toClaim(row: OperationRow): ClaimedOperation {
  const { repository, requestedBy } = row;
  return {
    operation: toOperation(row),
    attempt: row.attemptCount,
    fence: row.fence,
    source: { repositoryId: repository.id, url: repository.url, forge: toForge(repository.forge) },
    requester: { name: requestedBy.name, email: requestedBy.email },
  };
}
