/** What the reconcile looks at: what is worked on, what should be in the queue, what has stayed too long. */
import { isEnded, type JobOrder, jobOrderSchema, type State, states, workedStates } from '@fettle/contract';
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
  /** The last that is stored. */
  position: number;
  fence: number;
}

/** Where the streams of all operations stand that may get more events. */
export async function listStreams(client: Client): Promise<StreamPlace[]> {
  const ended = states.filter(isEnded);
  return client.$queryRaw<StreamPlace[]>`
    SELECT id, fence,
      coalesce((SELECT position FROM event WHERE operation_id = o.id ORDER BY position DESC LIMIT 1), 0) AS position
    FROM operation o
    WHERE state <> ALL (${ended}) OR EXISTS (SELECT 1 FROM outbox WHERE operation_id = o.id)`;
}

/** The jobs that have to be in the queue, for as long as no worker has taken them. */
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

export interface Expired {
  id: string;
  from: State;
}

/** Ends what has been in its state for longer than it may. */
export async function expireOverdue(
  client: Client,
  limits: { [Name in State]?: number },
  now = new Date(),
): Promise<Expired[]> {
  const overdue = await client.operation.findMany({
    where: {
      OR: Object.entries(limits).map(([state, seconds]) => ({
        state,
        stateSince: { lt: new Date(now.getTime() - seconds * 1000) },
      })),
    },
    select: { id: true, state: true, stateSince: true },
  });
  const expired: Expired[] = [];
  for (const { id, state, stateSince } of overdue) {
    await client.$transaction(async (tx) => {
      const { state: from } = await lockOperation(tx, id);
      if (from !== state) return;
      const message = `It had been ${from.replaceAll('_', ' ')} since ${stateSince.toISOString()}; the limit is ${limits[from]} s.`;
      await endOperation(tx, {
        id,
        from,
        to: 'expired',
        outcome: { kind: 'failure', reason: 'expired', message },
      });
      expired.push({ id, from });
    });
  }
  return expired;
}
