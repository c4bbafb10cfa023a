import { type Claim, FettleError, longestPauseMs } from '@fettle/contract';
import type { Client, Transaction } from '../client.ts';
import { addEvents } from '../outbox.ts';
import { countFinishedTools } from '../parts.ts';
import { toForge } from '../repositories.ts';
import { findHold, type ProposalLimits } from './hold-operation.ts';
import { lockOperation } from './lock-operation.ts';
import { entering } from './move-operation.ts';
import { type OperationRow, readOperation, toOperation } from './operation-row.ts';

export type ClaimedOperation = Omit<Claim, 'budgets' | 'leaseSeconds'>;

export interface ClaimInput {
  id: string;
  worker: string;
  /** Makes the claim idempotent: a worker that did not get the answer can repeat it. */
  key: string;
  leaseSeconds: number;
  limits?: ProposalLimits | undefined;
}

/** If several workers claim at once, exactly one succeeds. */
export async function claimOperation(client: Client, input: ClaimInput): Promise<ClaimedOperation> {
  const { id, worker, key, leaseSeconds, limits } = input;
  const claimed = await client.$transaction(async (tx) => {
    const held = limits && (await findHold(tx, id, limits));
    if (held) return held;
    const { count } = await tx.operation.updateMany({
      where: { id, state: 'queued', ...isDue(new Date()) },
      data: {
        ...entering('preparing'),
        fence: { increment: 1 },
        attemptCount: { increment: 1 },
        leaseExpiresAt: expiryOf(leaseSeconds),
        ...{ notBefore: null, heldBy: null },
      },
    });
    if (count === 0) await assertClaimedBefore(tx, id, key);
    const row = await readOperation(tx, id);
    if (count > 0) await recordAttempt(tx, row, { worker, key });
    return toClaim(row);
  });
  // Thrown here, so that the operation keeps the reason.
  if (claimed instanceof FettleError) throw claimed;
  return claimed;
}

/** Allows for clocks of two processes that differ a little. */
const toleranceMs = 1_000;

/** The queue can return the job of a dead worker before the pause between attempts is over. */
function isDue(now: Date) {
  const soon = new Date(now.getTime() + toleranceMs);
  const never = new Date(now.getTime() + 2 * longestPauseMs);
  // A time further away than the longest pause means that a clock was set back.
  return { OR: [{ notBefore: null }, { notBefore: { lte: soon } }, { notBefore: { gt: never } }] };
}

export function expiryOf(leaseSeconds: number): Date {
  return new Date(Date.now() + leaseSeconds * 1000);
}

async function assertClaimedBefore(tx: Transaction, id: string, key: string): Promise<void> {
  const { state, fence } = await lockOperation(tx, id);
  const claimed = await tx.attempt.findFirst({ where: { operationId: id, fence, claimKey: key } });
  if (claimed && state === 'preparing') return;
  const { notBefore } = await tx.operation.findUniqueOrThrow({ where: { id }, select: { notBefore: true } });
  if (state === 'queued' && notBefore) {
    const message = `Operation ${id} cannot be claimed before ${notBefore.toISOString()}.`;
    throw new FettleError('conflict', message, undefined, Math.max(0, notBefore.getTime() - Date.now()));
  }
  throw new FettleError('conflict', `Operation ${id} is ${state} and cannot be claimed.`);
}

async function recordAttempt(
  tx: Transaction,
  row: OperationRow,
  { worker, key }: { worker: string; key: string },
): Promise<void> {
  const { id, attemptCount: attempt, fence } = row;
  const partsBefore = await countFinishedTools(tx, id);
  await tx.attempt.create({
    data: {
      ...{ operationId: id, number: attempt, fence, worker, claimKey: key, partsBefore },
      startedAt: row.stateSince,
    },
  });
  await addEvents(tx, id, [
    { type: 'operation.state', from: 'queued', to: 'preparing', attempt },
    { type: 'attempt.started', attempt, worker },
  ]);
}

function toClaim(row: OperationRow): ClaimedOperation {
  const { organization, repository, requestedBy } = row;
  return {
    operation: toOperation(row),
    attempt: row.attemptCount,
    fence: row.fence,
    messageCount: row.messageCount,
    source: { repositoryId: repository.id, url: repository.url, forge: toForge(repository.forge) },
    organization: organization.slug,
    requester: { name: requestedBy.name, email: emailOf(requestedBy) },
  };
}

/** The address that GitHub attributes to an account. */
function emailOf({ email, login }: OperationRow['requestedBy']): string {
  return email ?? `${login}@users.noreply.github.com`;
}
