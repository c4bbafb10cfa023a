import { FettleError, mayFollow, type Operation } from '@fettle/contract';
import type { Client } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { lockOperation, operationNotFound } from './lock-operation.ts';
import { entering, isWorked } from './move-operation.ts';
import { operationInclude, readOperation, toOperation } from './operation-row.ts';

export interface PauseInput {
  id: string;
  organizationId: string;
  by: string;
}

/** An operation with a worker is paused when the worker releases it. */
export async function pauseOperation(
  client: Client,
  { id, organizationId, by }: PauseInput,
): Promise<{ operation: Operation; wasWorked: boolean }> {
  return client.$transaction(async (tx) => {
    const { state, ...found } = await lockOperation(tx, id);
    if (found.organizationId !== organizationId) throw operationNotFound(id);
    if (state !== 'paused' && !mayFollow(state, 'paused')) {
      throw new FettleError('conflict', `Operation ${id} is ${state} and cannot be paused.`);
    }
    const data = state === 'queued' ? { ...entering('paused'), pauseAskedBy: by } : { pauseAskedBy: by };
    const row = await tx.operation.update({ where: { id }, data, include: operationInclude });
    const message = `Paused by ${by}.`;
    if (state === 'queued')
      await addEvents(tx, id, [
        { type: 'operation.state', from: state, to: 'paused', reason: 'paused', message },
      ]);
    return { operation: toOperation(row), wasWorked: isWorked(state) };
  });
}

export async function resumeOperation(
  client: Client,
  { id, organizationId, by }: PauseInput,
): Promise<Operation> {
  return client.$transaction(async (tx) => {
    const { state, ...found } = await lockOperation(tx, id);
    if (found.organizationId !== organizationId) throw operationNotFound(id);
    if (state !== 'paused' && found.pauseAskedBy === null) {
      throw new FettleError('conflict', `Operation ${id} is ${state}, not paused.`);
    }
    await tx.operation.update({
      where: { id },
      data: { pauseAskedBy: null, ...(state === 'paused' && { ...entering('queued'), notBefore: null }) },
    });
    const row = await readOperation(tx, id);
    if (state === 'paused') {
      await addEvents(tx, id, [
        { type: 'operation.state', from: state, to: 'queued', message: `Resumed by ${by}.` },
      ]);
      await addJob(tx, row);
    }
    return toOperation(row);
  });
}
