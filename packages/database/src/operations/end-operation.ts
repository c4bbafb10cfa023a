/** Ends an operation that no worker settled: cancelled by a person, too many lost attempts, or expired. The caller holds the row lock. */
import type { Operation, Outcome, State } from '@fettle/contract';
import { type Transaction, toJson } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { cleanUpAttempt, orderedCleanUp } from './clean-up.ts';
import { endRevision, isRevising } from './end-revision.ts';
import { endAttempt, entering, isWorked } from './move-operation.ts';
import { type OperationRow, operationInclude, readOperation, toOperation } from './operation-row.ts';
import { findPublished } from './published-proposal.ts';

export interface End {
  id: string;
  from: State;
  to: 'cancelled' | 'failed' | 'expired';
  outcome: Extract<Outcome, { kind: 'failure' }>;
}

export async function endOperation(tx: Transaction, { id, from, to, outcome }: End): Promise<Operation> {
  const before = await readOperation(tx, id);
  if (to !== 'cancelled' && isRevising(before)) return endRevision(tx, { id, from, outcome });
  const proposed = toOperation(before).outcome?.kind === 'proposal';
  const mayHavePushed = !proposed && before.attemptCount > 0;
  const published = await findPublished(tx, before);
  const row = await tx.operation.update({
    where: { id },
    // A proposal stays the outcome, with its branch and its pull request.
    data: {
      ...entering(to),
      ...(!proposed && { outcome: toJson(outcome) }),
      ...(published && { outcome: toJson(published) }),
      ...(mayHavePushed && orderedCleanUp()),
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

/** The pull request may exist before the operation has its proposal as outcome. */
export async function closePullRequest(tx: Transaction, operationId: string): Promise<void> {
  await tx.pullRequest.updateMany({ where: { operationId }, data: { state: 'closed' } });
}

/**
 * The last owner may be dead, so another worker removes pushed branches. The job has a number of its own, so that removing
 * the job of an attempt does not remove it. The columns of the row already order the clean-up; the job starts it at once.
 */
async function orderCleanUp(tx: Transaction, row: OperationRow): Promise<void> {
  await addJob(tx, { ...row, attemptCount: cleanUpAttempt(row) - 1, notBefore: null });
}
