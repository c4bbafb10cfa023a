/** Queries for the reconcile loop: operations with a worker, operations that need a job, and overdue operations. */
import {
  isEnded,
  type JobOrder,
  jobOrderSchema,
  type State,
  stateSchema,
  states,
  workedStates,
} from '@fettle/contract';
import type { Client } from '../client.ts';
import { endOperation } from './end-operation.ts';
import { lockOperation } from './lock-operation.ts';

export interface WorkedOperation {
  id: string;
  fence: number;
  leaseExpiresAt: Date | null;
}

export async function listWorked(client: Client): Promise<WorkedOperation[]> {
  return client.operation.findMany({
    where: { state: { in: workedStates } },
    select: { id: true, fence: true, leaseExpiresAt: true },
  });
}

export interface StreamPlace {
  id: string;
  /** The last stored position. */
  position: number;
  fence: number;
}

/** The position of every operation that may get more events. */
export async function listStreams(client: Client): Promise<StreamPlace[]> {
  const ended = states.filter(isEnded);
  return client.$queryRaw<StreamPlace[]>`
    SELECT id, fence,
      coalesce((SELECT position FROM event WHERE operation_id = o.id ORDER BY position DESC LIMIT 1), 0) AS position
    FROM operation o
    WHERE state <> ALL (${ended}) OR EXISTS (SELECT 1 FROM outbox WHERE operation_id = o.id)`;
}

/** The jobs that must be in the queue. */
export async function listQueued(client: Client): Promise<JobOrder[]> {
  const rows = await client.operation.findMany({
    where: { state: 'queued' },
    select: { id: true, priority: true, attemptCount: true, notBefore: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id, priority, attemptCount, notBefore }) =>
    jobOrderSchema.parse({
      operationId: id,
      priority,
      attempt: attemptCount + 1,
      notBefore: notBefore?.toISOString() ?? null,
    }),
  );
}

export interface Stay {
  id: string;
  state: State;
  stateSince: Date;
}

export async function listInStates(client: Client, states: State[]): Promise<Stay[]> {
  const rows = await client.operation.findMany({
    where: { state: { in: states } },
    select: { id: true, state: true, stateSince: true },
  });
  return rows.map((row) => ({ ...row, state: stateSchema.parse(row.state) }));
}

/** Which of these operations ended before a moment. */
export async function listEndedBefore(
  client: Client,
  { ids, before }: { ids: string[]; before: Date },
): Promise<string[]> {
  const rows = await client.operation.findMany({
    where: { id: { in: ids }, state: { in: states.filter(isEnded) }, stateSince: { lt: before } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Expires an operation that exceeded the time limit of its state. Returns false if its state has changed meanwhile. */
export async function expireOperation(
  client: Client,
  { id, state: from, stateSince, limitSeconds }: Stay & { limitSeconds: number },
): Promise<boolean> {
  return client.$transaction(async (tx) => {
    await lockOperation(tx, id);
    const found = await tx.operation.findUniqueOrThrow({ where: { id } });
    if (found.state !== from || found.stateSince.getTime() !== stateSince.getTime()) return false;
    const message = `The operation had been ${from.replaceAll('_', ' ')} since ${stateSince.toISOString()}; the limit is ${limitSeconds} s.`;
    const outcome = { kind: 'failure' as const, reason: 'expired' as const, message };
    await endOperation(tx, { id, from, to: 'expired', outcome });
    return true;
  });
}
