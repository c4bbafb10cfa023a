/** Ends that no worker asked for: a person's cancel, the last lost attempt, a state that lasted too long. The row is locked by then. */
import type { Operation, Outcome, State } from '@fettle/contract';
import { type Transaction, toJson } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { cleanUpAttempt, owingCleanUp } from './clean-up.ts';
import { endAttempt, entering, isWorked } from './move-operation.ts';
import { type OperationRow, operationInclude, readOperation, toOperation } from './operation-row.ts';

export interface End {
  id: string;
  from: State;
  to: 'cancelled' | 'failed' | 'expired';
  outcome: Extract<Outcome, { kind: 'failure' }>;
}

export async function endOperation(tx: Transaction, { id, from, to, outcome }: End): Promise<Operation> {
  const before = await readOperation(tx, id);
  const proposed = toOperation(before).outcome?.kind === 'proposal';
  const mayHavePushed = !proposed && before.attemptCount > 0;
  const row = await tx.operation.update({
    where: { id },
    // A proposal that was made stays known, with its branch and its pull request.
    data: {
      ...entering(to),
      ...(!proposed && { outcome: toJson(outcome) }),
      ...(mayHavePushed && owingCleanUp()),
    },
    include: operationInclude,
  });
  await closePullRequest(tx, id);
  if (mayHavePushed) await orderCleanUp(tx, row);
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

/** It may be open before the operation knows of it. */
export async function closePullRequest(tx: Transaction, operationId: string): Promise<void> {
  await tx.pullRequest.updateMany({ where: { operationId }, data: { state: 'closed' } });
}

/**
 * Its last owner may be dead: whoever takes the job takes away what was pushed. The job is none of an attempt's, so
 * that removing theirs from the queue does not remove it. That it is owed is on record; this only makes it soon.
 */
async function orderCleanUp(tx: Transaction, row: OperationRow): Promise<void> {
  await addJob(tx, { ...row, attemptCount: cleanUpAttempt(row) - 1, notBefore: null });
}
