/** What people say to an operation: kept before it is acknowledged, and seen when a turn on record names it. */
import {
  type Event,
  FettleError,
  hearingStates,
  type Message,
  maxWaitingMessages,
  type Said,
  type State,
} from '@fettle/contract';
import { type Client, storableText, type Transaction } from './client.ts';
import type { Message as MessageRow } from './generated/client.ts';
import { type LockedOperation, lockOperation, operationNotFound } from './operations/lock-operation.ts';
import { isWorked } from './operations/move-operation.ts';
import { addEvents } from './outbox.ts';

export interface NewMessage {
  operationId: string;
  organizationId: string;
  /** The name of the person. */
  by: string;
  text: string;
  idempotencyKey?: string | undefined;
}

export interface AddedMessage {
  message: Message;
  /** False where the same key had brought it before. */
  added: boolean;
  /** Whether a worker owns the operation, who can be told at once. */
  isWorked: boolean;
}

/** The operation's row is locked, so that numbers have no gap and nothing is taken that nobody would hear. */
export async function addMessage(client: Client, input: NewMessage): Promise<AddedMessage> {
  const { operationId, organizationId, by, idempotencyKey = null } = input;
  const text = storableText(input.text);
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, operationId);
    if (found.organizationId !== organizationId) throw operationNotFound(operationId);
    const earlier = await findEarlier(tx, { operationId, idempotencyKey, text });
    if (earlier) return { message: earlier, added: false, isWorked: isWorked(found.state) };
    assertHears(operationId, found);
    const waiting = await tx.message.count({ where: { operationId, seenAt: null } });
    if (waiting >= maxWaitingMessages) {
      const message = `${waiting} messages wait for operation ${operationId} already: it takes more when these are seen.`;
      throw new FettleError('conflict', message);
    }
    const number = found.messageCount + 1;
    const row = await tx.message.create({
      data: { operationId, number, saidBy: by, text, idempotencyKey, saidAt: new Date() },
    });
    await tx.operation.update({ where: { id: operationId }, data: { messageCount: number } });
    await addEvents(tx, operationId, [{ type: 'message.said', message: { number, by, text } }]);
    return { message: toMessage(row), added: true, isWorked: isWorked(found.state) };
  });
}

async function findEarlier(
  tx: Transaction,
  { operationId, idempotencyKey, text }: { operationId: string; idempotencyKey: string | null; text: string },
): Promise<Message | undefined> {
  if (idempotencyKey === null) return undefined;
  const row = await tx.message.findFirst({ where: { operationId, idempotencyKey } });
  if (!row || row.text === text) return row ? toMessage(row) : undefined;
  throw new FettleError(
    'idempotency_conflict',
    `This Idempotency-Key belongs to message ${row.number} of ${operationId}, which says something else.`,
  );
}

function assertHears(id: string, { state, hearingClosed }: LockedOperation): void {
  const hears = (hearingStates as readonly State[]).includes(state);
  if (hears && !hearingClosed) return;
  const why = hears ? 'its change is about to be proposed' : `it is ${state.replaceAll('_', ' ')}`;
  throw new FettleError('conflict', `Operation ${id} takes no more messages: ${why}, and its agent is done.`);
}

/** What was said after a number, in its order. */
export async function listSaid(
  client: Client,
  { operationId, after }: { operationId: string; after: number },
): Promise<Said[]> {
  const rows = await client.message.findMany({
    where: { operationId, number: { gt: after } },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ number, saidBy, text }) => ({ number, by: saidBy, text }));
}

/** The oldest first. */
export async function listMessages(client: Client, operationId: string): Promise<Message[]> {
  const rows = await client.message.findMany({ where: { operationId }, orderBy: { number: 'asc' } });
  return rows.map(toMessage);
}

/** A turn that was begun anew tells the same again: what was seen was seen when it was told first. */
export async function projectSeen(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'turn.started' || event.messages === undefined) continue;
    await tx.message.updateMany({
      where: { operationId, number: { in: event.messages }, seenAt: null },
      data: { seenAt: event.at, seenInTurn: event.turn },
    });
  }
}

function toMessage({ number, saidBy, text, saidAt, seenAt, seenInTurn }: MessageRow): Message {
  const seen = { seenAt: seenAt?.toISOString() ?? null, seenInTurn };
  return { number, by: saidBy, text, saidAt: saidAt.toISOString(), ...seen };
}
