/** Messages from people to the agent. A message is stored before it is acknowledged, and counts as seen when a recorded turn lists it. */
import {
  type Event,
  FettleError,
  type Message,
  maxWaitingMessages,
  messageStates,
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
  /** The name of the user. */
  by: string;
  text: string;
  idempotencyKey?: string | undefined;
}

export interface AddedMessage {
  message: Message;
  /** False if a request with the same key had added it before. */
  added: boolean;
  /** Whether a worker owns the operation and can be notified at once. */
  isWorked: boolean;
}

/** Locks the operation's row, so that numbers have no gaps and no message is accepted that the agent would not see. */
export async function addMessage(client: Client, input: NewMessage): Promise<AddedMessage> {
  const { operationId, organizationId, by, idempotencyKey = null } = input;
  const text = storableText(input.text);
  return client.$transaction(async (tx) => {
    const found = await lockOperation(tx, operationId);
    if (found.organizationId !== organizationId) throw operationNotFound(operationId);
    const earlier = await findEarlierMessage(tx, { operationId, idempotencyKey, text });
    if (earlier) return { message: earlier, added: false, isWorked: isWorked(found.state) };
    assertAcceptsMessages(operationId, found);
    const waiting = await tx.message.count({ where: { operationId, seenAt: null } });
    if (waiting >= maxWaitingMessages) {
      const message = `Operation ${operationId} has ${waiting} unseen messages, which is the limit. Send more when the agent has seen them.`;
      throw new FettleError('conflict', message);
    }
    const number = found.messageCount + 1;
    const message = await insertMessage(tx, { operationId, number, by, text, idempotencyKey });
    return { message, added: true, isWorked: isWorked(found.state) };
  });
}

export interface InsertedMessage extends Pick<NewMessage, 'operationId' | 'by' | 'text'> {
  number: number;
  idempotencyKey: string | null;
}

/** The caller holds the row lock. */
export async function insertMessage(
  tx: Transaction,
  { operationId, number, by, idempotencyKey, ...input }: InsertedMessage,
): Promise<Message> {
  const text = storableText(input.text);
  const row = await tx.message.create({
    data: { operationId, number, saidBy: by, text, idempotencyKey, saidAt: new Date() },
  });
  await tx.operation.update({ where: { id: operationId }, data: { messageCount: number } });
  await addEvents(tx, operationId, [{ type: 'message.said', message: { number, by, text } }]);
  return toMessage(row);
}

/** Fails if the key belongs to another text. */
export async function findEarlierMessage(
  tx: Transaction,
  { operationId, idempotencyKey, text }: { operationId: string; idempotencyKey: string | null; text: string },
): Promise<Message | undefined> {
  if (idempotencyKey === null) return undefined;
  const row = await tx.message.findFirst({ where: { operationId, idempotencyKey } });
  if (!row || row.text === text) return row ? toMessage(row) : undefined;
  throw new FettleError(
    'idempotency_conflict',
    `This Idempotency-Key belongs to message ${row.number} of ${operationId}, which has a different text.`,
  );
}

function assertAcceptsMessages(id: string, { state, hearingClosed }: LockedOperation): void {
  const isOpen = (messageStates as readonly State[]).includes(state);
  if (isOpen && !hearingClosed) return;
  const why = isOpen ? 'its change is about to be proposed' : `it is ${state.replaceAll('_', ' ')}`;
  throw new FettleError('conflict', `Operation ${id} accepts no more messages: ${why}.`);
}

/** The messages after a number, in order. */
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

/** Oldest first. */
export async function listMessages(client: Client, operationId: string): Promise<Message[]> {
  const rows = await client.message.findMany({ where: { operationId }, orderBy: { number: 'asc' } });
  return rows.map(toMessage);
}

/** A repeated turn lists the same messages again. The first turn counts. */
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
