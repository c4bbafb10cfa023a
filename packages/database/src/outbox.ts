/**
 * What has to reach the queue and the event streams, written in the transaction that makes it true. Every
 * writer holds its operation's row by then, so that ids rise in the order in which things happened to it.
 */
import { type EventBody, eventBodySchema, type JobOrder, jobOrderSchema } from '@fettle/contract';
import { type Client, type Transaction, toJson } from './client.ts';
import type { Operation, OutboxEntry as OutboxRow } from './generated/client.ts';

interface OutboxPlace {
  id: number;
  /** Never given twice: whoever receives an entry again knows it by this. */
  key: string;
  operationId: string;
  at: string;
}
export type OutboxEntry = OutboxPlace &
  ({ kind: 'job'; payload: JobOrder } | { kind: 'event'; payload: EventBody });

/** For the attempt that comes next. */
export async function addJob(
  tx: Transaction,
  {
    id,
    priority,
    attemptCount,
    notBefore,
  }: Pick<Operation, 'id' | 'priority' | 'attemptCount' | 'notBefore'>,
): Promise<void> {
  const payload = {
    operationId: id,
    priority,
    attempt: attemptCount + 1,
    notBefore: notBefore?.toISOString() ?? null,
  };
  await tx.outboxEntry.create({ data: { operationId: id, kind: 'job', payload, createdAt: new Date() } });
}

export async function addEvents(tx: Transaction, operationId: string, bodies: EventBody[]): Promise<void> {
  const createdAt = new Date();
  await tx.outboxEntry.createMany({
    data: bodies.map((body) => ({ operationId, kind: 'event', payload: toJson(body), createdAt })),
  });
}

export async function listPending(client: Client, limit: number): Promise<OutboxEntry[]> {
  const rows = await client.outboxEntry.findMany({ orderBy: { id: 'asc' }, take: limit });
  return rows.map(toEntry);
}

export async function listPendingFor(client: Client, operationId: string): Promise<OutboxEntry[]> {
  const rows = await client.outboxEntry.findMany({ where: { operationId }, orderBy: { id: 'asc' } });
  return rows.map(toEntry);
}

export async function markDelivered(client: Client, ids: number[]): Promise<void> {
  await client.outboxEntry.deleteMany({ where: { id: { in: ids.map(BigInt) } } });
}

function toEntry(row: OutboxRow): OutboxEntry {
  const { operationId } = row;
  const place = { id: Number(row.id), key: `outbox:${row.id}`, operationId, at: row.createdAt.toISOString() };
  return row.kind === 'job'
    ? { ...place, kind: 'job', payload: jobOrderSchema.parse(row.payload) }
    : { ...place, kind: 'event', payload: eventBodySchema.parse(row.payload) };
}
