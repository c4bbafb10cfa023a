/**
 * Ends a revision without a new commit. The proposal, its branch and its outcome stay, and it awaits approval as before. Only
 * if the worker had already updated the pull request, the outcome follows it.
 */
import {
  isSettled,
  type Operation,
  type Outcome,
  outcomeSchema,
  type State,
  stateSchema,
} from '@fettle/contract';
import { type Transaction, toJson } from '../client.ts';
import type { Prisma } from '../generated/client.ts';
import { addEvents } from '../outbox.ts';
import { endAttempt, entering, isWorked } from './move-operation.ts';
import { type OperationRow, operationInclude, readOperation, toOperation } from './operation-row.ts';
import { findPublished } from './published-proposal.ts';

/** Whether the operation has a proposal that outlives the end of its current work. */
export function isRevising({ outcome, state }: Pick<OperationRow, 'outcome' | 'state'>): boolean {
  return (
    !isSettled(stateSchema.parse(state)) &&
    outcome !== null &&
    outcomeSchema.parse(outcome).kind === 'proposal'
  );
}

export interface EndRevision {
  id: string;
  from: State;
  outcome: Exclude<Outcome, { kind: 'proposal' }>;
  data?: Prisma.OperationUncheckedUpdateInput;
}

/** The caller holds the row lock and has checked `isRevising`. */
export async function endRevision(
  tx: Transaction,
  { id, from, outcome, data = {} }: EndRevision,
): Promise<Operation> {
  const published = await findPublished(tx, await readOperation(tx, id));
  const row = await tx.operation.update({
    where: { id },
    data: {
      ...entering('awaiting_approval'),
      ...{ notBefore: null, lostAttempts: 0, lostAt: null, ...data },
      ...(published && { outcome: toJson(published) }),
    },
    include: operationInclude,
  });
  if (isWorked(from)) await endAttempt(tx, { id, attempt: row.attemptCount, state: 'awaiting_approval' });
  const why = outcome.kind === 'answer' ? outcome.answer.slice(0, 1_000) : outcome.message;
  const operation = toOperation(row);
  await addEvents(tx, id, [
    { type: 'revision.ended', revision: row.revision, outcome },
    {
      type: 'operation.state',
      ...{ from, to: 'awaiting_approval' as const, message: why },
      ...(outcome.kind === 'failure' && { reason: outcome.reason }),
    },
    { type: 'operation.settled', state: 'awaiting_approval', outcome: operation.outcome ?? outcome },
  ]);
  return operation;
}
