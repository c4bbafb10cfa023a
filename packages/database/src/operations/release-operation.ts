/** An attempt is over and its operation is not: it goes back to the queue, waits as paused, or has had its chances. */
import { type Operation, pauseAfter, type ReasonCode, type ReleaseInput, type State } from '@fettle/contract';
import { type Client, storableText, type Transaction } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { countCarriedOut, listOpenParts } from '../parts.ts';
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

export interface GiveBackRules {
  /** How many attempts in a row may be lost at the same place, or without carrying out one part. */
  maxLost: number;
}

export async function releaseOperation(
  client: Client,
  input: ReleaseInput & { id: string } & GiveBackRules,
): Promise<{ state: State }> {
  const { id, fence, totals, maxLost } = input;
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    // Said twice is said once: the first answer may have been lost on its way.
    if (found.fence === fence && (found.state === 'queued' || found.state === 'paused')) return found;
    assertOwned(found, fence);
    // It may have moved on without hearing so, where the answer was lost on its way.
    const from = found.state;
    const data = toColumns(totals);
    await tx.operation.update({ where: { id }, data });
    const { reason, message } = input;
    const lost = input.why === 'went_wrong' ? { maxLost } : undefined;
    const { state } = await giveBack(tx, { id, from, reason, message, lost });
    return { state };
  });
}

export interface LostWorker extends GiveBackRules {
  id: string;
  fence: number;
  /** Asked once nobody else can change the operation, with its lease as it is then. */
  isSilent(place: { id: string; leaseExpiresAt: Date | null }): boolean;
}

/** Takes an operation from a worker that is not heard of any more, unless it was heard of just now. */
export async function takeFromLostWorker(
  client: Client,
  { id, fence, maxLost, isSilent }: LostWorker,
): Promise<Operation | 'heard_of' | undefined> {
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, id);
    if (found.fence !== fence || !isWorked(found.state)) return undefined;
    if (!isSilent(await tx.operation.findUniqueOrThrow({ where: { id } }))) return 'heard_of';
    const message = 'Its worker is not heard of any more.';
    // It may be asleep: from now on its number is an old one, also while nobody has claimed anew.
    await tx.operation.update({ where: { id }, data: { fence: { increment: 1 } } });
    return giveBack(tx, { id, from: found.state, reason: 'worker_lost', message, lost: { maxLost } });
  });
}

interface GiveBack {
  id: string;
  from: State;
  reason: ReasonCode;
  message: string;
  /** Given when the attempt was lost; one that was handed over in good order does not count. */
  lost: GiveBackRules | undefined;
}

async function giveBack(tx: Transaction, { id, from, reason, message, lost }: GiveBack): Promise<Operation> {
  const row = await readOperation(tx, id);
  const loss = lost && (await countLoss(tx, row, from));
  if (loss && lost && loss.count >= lost.maxLost) {
    const what = `${loss.count === 1 ? 'An attempt was' : `${loss.count} attempts in a row were`} lost at ${loss.place}. The last one: ${message}`;
    const code = reason === 'worker_lost' ? 'attempts_used_up' : reason;
    return endOperation(tx, {
      id,
      from,
      to: 'failed',
      outcome: { kind: 'failure', reason: code, message: what },
    });
  }
  const to = row.pauseAskedBy === null ? 'queued' : 'paused';
  const pauseSeconds = loss ? pauseAfter(loss.count, reason) : 0;
  const notBefore = pauseSeconds > 0 ? new Date(Date.now() + pauseSeconds * 1000) : null;
  const moved = await tx.operation.update({
    where: { id },
    data: {
      ...entering(to),
      notBefore,
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

/** An attempt that carried out a part starts the count anew, unless the call that ends it is the one that ended the last. */
async function countLoss(
  tx: Transaction,
  row: OperationRow,
  state: State,
): Promise<{ count: number; place: string }> {
  const attempt = await tx.attempt.findUnique({
    where: { operationId_number: { operationId: row.id, number: row.attemptCount } },
  });
  const call = await describeOpenCall(tx, row.id);
  const advanced = (await countCarriedOut(tx, row.id)) > (attempt?.partsBefore ?? 0);
  const isSameCall = call !== undefined && call === row.lostAt;
  return { count: advanced && !isSameCall ? 1 : row.lostAttempts + 1, place: call ?? state };
}

/** A call is known by its tool and its input: the model may make the same one again under another number. */
async function describeOpenCall(tx: Transaction, operationId: string): Promise<string | undefined> {
  const [open] = await listOpenParts(tx, operationId);
  if (!open) return undefined;
  return `${storableText(open.tool)} ${JSON.stringify(open.input ?? {}).slice(0, 200)}`;
}
