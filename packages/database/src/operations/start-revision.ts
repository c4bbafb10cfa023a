/** Starts a revision: a person wants changes to a proposal, so its operation goes back to work on its own branch. */
import { FettleError, mayFollow, type Operation } from '@fettle/contract';
import type { Client, Transaction } from '../client.ts';
import { findEarlierMessage, insertMessage } from '../messages.ts';
import { addEvents, addJob } from '../outbox.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { entering } from './move-operation.ts';
import { readOperation, toOperation } from './operation-row.ts';

export interface ChangesRequest {
  id: string;
  organizationId: string;
  /** The name of the user. */
  by: string;
  text: string;
  idempotencyKey?: string | undefined;
  maxRevisions: number;
}

/** Idempotent by its key. The text becomes a message, which the agent sees in its next turn. */
export async function startRevision(client: Client, input: ChangesRequest): Promise<Operation> {
  const { id, organizationId, by, text, maxRevisions } = input;
  // Keys of messages and of requests for changes are apart.
  const idempotencyKey = input.idempotencyKey === undefined ? null : `changes:${input.idempotencyKey}`;
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    if (found.organizationId !== organizationId) throw operationNotFound(id);
    if (await findEarlierMessage(tx, { operationId: id, idempotencyKey, text })) return read(tx, id);
    const before = await read(tx, id);
    assertCanBeRevised(before, maxRevisions);
    const revision = before.revision + 1;
    await insertMessage(tx, { operationId: id, number: found.messageCount + 1, by, text, idempotencyKey });
    await tx.operation.update({
      where: { id },
      data: {
        ...entering('queued'),
        ...{
          revision,
          notBefore: null,
          heldBy: null,
          heldAttempts: 0,
          hearingClosed: false,
          lostAttempts: 0,
          lostAt: null,
        },
      },
    });
    const row = await readOperation(tx, id);
    const message = `${by} requested changes.`;
    await addEvents(tx, id, [
      { type: 'revision.started', revision, by },
      { type: 'operation.state', from: before.state, to: 'queued', message },
    ]);
    await addJob(tx, row);
    return toOperation(row);
  });
}

async function read(tx: Transaction, id: string): Promise<Operation> {
  return toOperation(await readOperation(tx, id));
}

function assertCanBeRevised({ id, state, outcome, revision }: Operation, maxRevisions: number): void {
  if (state !== 'awaiting_approval' || outcome?.kind !== 'proposal' || !mayFollow(state, 'queued')) {
    const message = `Operation ${id} is ${state.replaceAll('_', ' ')}. Changes can be requested while its proposal awaits approval.`;
    throw new FettleError('conflict', message);
  }
  if (revision < maxRevisions) return;
  const message = `Operation ${id} has had ${revision} of ${maxRevisions} revisions, which is the limit (FETTLE_MAX_REVISIONS).`;
  throw new FettleError('conflict', message);
}
