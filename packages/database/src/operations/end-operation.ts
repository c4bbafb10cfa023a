/** Ends that nobody's attempt asked for: a person's cancel, or a worker that is gone. The row is locked by then. */
import type { Operation, Outcome, State } from '@fettle/contract';
import { type Client, type Transaction, toJson } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { lockOperation } from './lock-operation.ts';
import { endAttempt, entering, isWorked } from './move-operation.ts';
import { operationInclude, readOperation, toOperation } from './operation-row.ts';

export interface End {
  id: string;
  from: State;
  to: 'cancelled' | 'failed';
  outcome: Extract<Outcome, { kind: 'failure' }>;
}

export async function endOperation(tx: Transaction, { id, from, to, outcome }: End): Promise<Operation> {
  const proposed = toOperation(await readOperation(tx, id)).outcome?.kind === 'proposal';
  const row = await tx.operation.update({
    where: { id },
    // A proposal that was made stays known, with its branch and its pull request.
    data: { ...entering(to), ...(!proposed && { outcome: toJson(outcome) }) },
    include: operationInclude,
  });
  if (proposed) await tx.pullRequest.updateMany({ where: { operationId: id }, data: { state: 'closed' } });
  if (isWorked(from)) await endAttempt(tx, { id, attempt: row.attemptCount, state: to });
  const { reason, message } = outcome;
  await addEvents(tx, id, [
    { type: 'operation.state', from, to, reason, message },
    {
      type: 'operation.settled',
      state: to,
      outcome: proposed ? (toOperation(row).outcome ?? outcome) : outcome,
    },
  ]);
  return toOperation(row);
}

/** Ends the operations whose worker has not renewed its lease: nothing is "running" that is not. Gives their ids. */
export async function endAbandoned(client: Client, now = new Date()): Promise<string[]> {
  const late = await client.operation.findMany({
    where: { leaseExpiresAt: { lt: now } },
    select: { id: true },
  });
  const ended: string[] = [];
  for (const { id } of late) {
    await client.$transaction(async (tx) => {
      const { state } = await lockOperation(tx, id);
      const { leaseExpiresAt } = await tx.operation.findUniqueOrThrow({ where: { id } });
      if (!isWorked(state) || leaseExpiresAt === null || leaseExpiresAt >= now) return;
      const message = `Its worker has not been heard of since the lease ran out at ${leaseExpiresAt.toISOString()}.`;
      await endOperation(tx, {
        id,
        from: state,
        to: 'failed',
        outcome: { kind: 'failure', reason: 'worker_lost', message },
      });
      ended.push(id);
    });
  }
  return ended;
}
