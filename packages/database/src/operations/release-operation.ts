/** Ends an attempt without a result: the operation is queued again, paused, or fails after too many lost attempts. */
import {
  type Operation,
  pauseAfter,
  type ReasonCode,
  type ReleaseInput,
  type State,
  waitingPause,
} from '@fettle/contract';
import { type Client, storableText, type Transaction } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { countFinishedTools, listOpenParts } from '../parts.ts';
import { endOperation } from './end-operation.ts';
import { lockOperation } from './lock-operation.ts';
import { assertOwned, endAttempt, entering, isWorked } from './move-operation.ts';
import {
  type OperationRow,
  operationInclude,
  readOperation,
  toColumns,
  toOperation,
} from './operation-row.ts';

export interface ReleaseRules {
  /** How many attempts in a row may be lost at the same call, or without finishing a part. */
  maxLost: number;
}

export async function releaseOperation(
  client: Client,
  input: ReleaseInput & { id: string } & ReleaseRules,
): Promise<{ state: State }> {
  const { id, fence, totals, maxLost } = input;
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    // A repeated request: the first answer may have been lost.
    if (found.fence === fence && (found.state === 'queued' || found.state === 'paused')) return found;
    assertOwned(found, fence);
    // Not `input.from`: the answer to the worker's last transition may have been lost.
    const from = found.state;
    const data = toColumns(totals);
    await tx.operation.update({ where: { id }, data });
    const { reason, message, why, afterMs } = input;
    const lost = why === 'went_wrong' ? { maxLost } : undefined;
    const held = why === 'waits' ? { afterMs } : undefined;
    const { state } = await release(tx, { id, from, reason, message, lost, held });
    return { state };
  });
}

export interface LostWorker extends ReleaseRules {
  id: string;
  fence: number;
  /** Called with the row locked, with the current lease. */
  isSilent(place: { id: string; leaseExpiresAt: Date | null }): boolean;
}

/** Takes an operation from a silent worker. Returns 'alive' if the worker sent a heartbeat meanwhile. */
export async function takeFromLostWorker(
  client: Client,
  { id, fence, maxLost, isSilent }: LostWorker,
): Promise<Operation | 'alive' | undefined> {
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    if (found.fence !== fence || !isWorked(found.state)) return undefined;
    if (!isSilent(await tx.operation.findUniqueOrThrow({ where: { id } }))) return 'alive';
    const message = 'The worker stopped responding.';
    // The worker may only be suspended. Its fencing number is outdated from now on, even before the next claim.
    await tx.operation.update({ where: { id }, data: { fence: { increment: 1 } } });
    return release(tx, { id, from: found.state, reason: 'worker_lost', message, lost: { maxLost } });
  });
}

interface Release {
  id: string;
  from: State;
  reason: ReasonCode;
  message: string;
  /** Set if the attempt was lost. An attempt that was handed over or that waits does not count. */
  lost: ReleaseRules | undefined;
  /** Set if the next attempt starts only after a pause, because something is away. */
  held?: { afterMs: number | undefined } | undefined;
}

async function release(
  tx: Transaction,
  { id, from, reason, message, lost, held }: Release,
): Promise<Operation> {
  const row = await readOperation(tx, id);
  const loss = lost && (await countLoss(tx, row, from));
  if (loss && lost && loss.count >= lost.maxLost) {
    const what = `${loss.count === 1 ? 'An attempt was' : `${loss.count} attempts in a row were`} lost at ${loss.place}. Last error: ${message}`;
    const code = reason === 'worker_lost' ? 'attempts_used_up' : reason;
    return endOperation(tx, {
      id,
      from,
      to: 'failed',
      outcome: { kind: 'failure', reason: code, message: what },
    });
  }
  const to = row.pauseAskedBy === null ? 'queued' : 'paused';
  const heldAttempts = held ? row.heldAttempts + 1 : 0;
  const pauseMs = held
    ? waitingPause(heldAttempts, held.afterMs)
    : (loss ? pauseAfter(loss.count, reason) : 0) * 1000;
  const notBefore = pauseMs > 0 ? new Date(Date.now() + pauseMs) : null;
  const moved = await tx.operation.update({
    where: { id },
    data: {
      ...entering(to),
      notBefore,
      ...{ heldAttempts, heldBy: held ? storableText(message) : null },
      ...(loss && { lostAttempts: loss.count, lostAt: loss.place }),
    },
    include: operationInclude,
  });
  await endAttempt(tx, { id, attempt: row.attemptCount, state: to });
  await addEvents(tx, id, [
    { type: 'operation.state', from, to, attempt: row.attemptCount, reason, message },
  ]);
  if (to === 'queued') await addJob(tx, moved);
  return toOperation(moved);
}

/** An attempt that finished a part resets the count, unless it was lost at the same call as the attempt before. */
async function countLoss(
  tx: Transaction,
  row: OperationRow,
  state: State,
): Promise<{ count: number; place: string }> {
  const attempt = await tx.attempt.findUnique({
    where: { operationId_number: { operationId: row.id, number: row.attemptCount } },
  });
  const call = await describeOpenCall(tx, row.id);
  const advanced = (await countFinishedTools(tx, row.id)) > (attempt?.partsBefore ?? 0);
  const isSameCall = call !== undefined && call === row.lostAt;
  return { count: advanced && !isSameCall ? 1 : row.lostAttempts + 1, place: call ?? state };
}

/** Identifies a call by its tool and input, because the model may repeat the call with another number. */
async function describeOpenCall(tx: Transaction, operationId: string): Promise<string | undefined> {
  const [open] = await listOpenParts(tx, operationId);
  if (!open) return undefined;
  return `${storableText(open.tool)} ${JSON.stringify(open.input ?? {}).slice(0, 200)}`;
}
