/** Plans of agents, and people's decisions about them. */
import {
  FettleError,
  type Operation,
  type PlanDecision,
  type PlanInput,
  type PlanStatus,
  planStatusSchema,
  type State,
} from '@fettle/contract';
import { type Client, storableText, type Transaction, toJson } from './client.ts';
import type { Plan as PlanRow } from './generated/client.ts';
import { endOperation } from './operations/end-operation.ts';
import { lockOperation, operationNotFound } from './operations/lock-operation.ts';
import { entering, moveOperation } from './operations/move-operation.ts';
import { readOperation, toColumns, toOperation } from './operations/operation-row.ts';
import { addEvents, addJob } from './outbox.ts';

/** Ends the attempt and waits for a decision. The attempt does not count as lost, and a pause request is dropped. */
export async function proposePlan(
  client: Client,
  { id, fence, from, plan, totals }: PlanInput & { id: string },
): Promise<{ version: number }> {
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    const last = await readLast(tx, id);
    // A repeated request: the first answer may have been lost.
    if (found.fence === fence && found.state === 'awaiting_plan' && last) return { version: last.version };
    const data = { ...toColumns(totals), lostAttempts: 0, lostAt: null, pauseAskedBy: null };
    const row = await moveOperation(tx, { id, fence, from, to: 'awaiting_plan', data });
    const version = (last?.version ?? 0) + 1;
    await tx.plan.create({
      data: { operationId: id, version, plan: toJson(plan), proposedAt: row.stateSince },
    });
    await addEvents(tx, id, [
      { type: 'plan.proposed', version, plan },
      { type: 'operation.state', from, to: 'awaiting_plan', attempt: row.attemptCount },
    ]);
    return { version };
  });
}

export async function getPlan(client: Client, operationId: string): Promise<PlanStatus | undefined> {
  const row = await readLast(client, operationId);
  return row ? toStatus(row) : undefined;
}

export interface DecideInput extends PlanDecision {
  id: string;
  organizationId: string;
  by: string;
}

/** Idempotent for the same decision about the same plan by the same person. */
export async function decidePlan(
  client: Client,
  input: DecideInput,
): Promise<{ operation: Operation; plan: PlanStatus }> {
  const { id, organizationId, version, decision, by } = input;
  const message = input.message === undefined ? null : storableText(input.message);
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    if (found.organizationId !== organizationId) throw operationNotFound(id);
    const named = await tx.plan.findUnique({
      where: { operationId_version: { operationId: id, version } },
    });
    if (named?.decision === decision && named.decidedBy === by && named.message === message)
      return { operation: toOperation(await readOperation(tx, id)), plan: toStatus(named) };
    const last = await readLast(tx, id);
    if (last && last.version !== version) throw staleVersion(id, version, last.version);
    if (!last || found.state !== 'awaiting_plan') {
      const why = last ? 'no plan is waiting for a decision' : 'it has no plan';
      throw new FettleError('conflict', `Operation ${id} is ${found.state}: ${why}.`);
    }
    const decided = { decision, decidedBy: by, decidedAt: new Date(), message };
    const plan = await tx.plan.update({
      where: { operationId_version: { operationId: id, version } },
      data: decided,
    });
    const said = message === null ? {} : { message };
    await addEvents(tx, id, [{ type: 'plan.decided', version, decision, by, ...said }]);
    return { operation: await applyDecision(tx, input, found.state), plan: toStatus(plan) };
  });
}

async function applyDecision(
  tx: Transaction,
  { id, decision, by, version }: DecideInput,
  from: State,
): Promise<Operation> {
  if (decision === 'cancel') {
    const outcome = { kind: 'failure', reason: 'cancelled', message: `Cancelled by ${by}.` } as const;
    return endOperation(tx, { id, from, to: 'cancelled', outcome });
  }
  await tx.operation.update({ where: { id }, data: { ...entering('queued'), notBefore: null } });
  const row = await readOperation(tx, id);
  const message = `${by} ${decision === 'approve' ? 'approved' : 'requested changes to'} plan ${version}.`;
  await addEvents(tx, id, [{ type: 'operation.state', from, to: 'queued', message }]);
  await addJob(tx, row);
  return toOperation(row);
}

function staleVersion(id: string, version: number, last: number): FettleError {
  const message = `The newest plan of operation ${id} is version ${last}, but the decision is about version ${version}.`;
  return new FettleError('conflict', message, 'version');
}

function readLast(tx: Client | Transaction, operationId: string): Promise<PlanRow | null> {
  return tx.plan.findFirst({ where: { operationId }, orderBy: { version: 'desc' } });
}

function toStatus({ operationId: _id, proposedAt, decidedAt, ...row }: PlanRow): PlanStatus {
  return planStatusSchema.parse({
    ...row,
    proposedAt: proposedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  });
}
