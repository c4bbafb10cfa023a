/**
 * The outbox table: jobs and events that must reach Redis, written in the same transaction as the change that they describe.
 * Every writer holds the lock of its operation's row, so ids increase in the order of the changes. The api delivers the
 * entries (`services/api/src/outbox`).
 */
import {
  describeIssue,
  type EventBody,
  eventBodySchema,
  type JobOrder,
  jobOrderSchema,
} from '@fettle/contract';
import { type Client, type Transaction, toJson } from './client.ts';
import type { Operation, OutboxEntry as OutboxRow } from './generated/client.ts';

interface OutboxHeader {
  id: number;
  /** Unique, so that a repeated delivery is recognised. */
  key: string;
  operationId: string;
  at: string;
}
export type OutboxEntry = OutboxHeader &
  (
    | { kind: 'job'; payload: JobOrder }
    | { kind: 'event'; payload: EventBody }
    /** Possibly written by a newer version. It stays until a version that can read it runs. */
    | { kind: 'unreadable'; payload?: undefined; problem: string }
  );

/** Adds a job for the next attempt. */
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

export async function listPending(
  client: Client,
  { limit, after = 0, except = [] }: { limit: number; after?: number; except?: string[] },
): Promise<OutboxEntry[]> {
  const where = { id: { gt: after }, operationId: { notIn: except } };
  const rows = await client.outboxEntry.findMany({ where, orderBy: { id: 'asc' }, take: limit });
  return rows.map(toEntry);
}

export async function listPendingFor(client: Client, operationId: string): Promise<OutboxEntry[]> {
  const rows = await client.outboxEntry.findMany({ where: { operationId }, orderBy: { id: 'asc' } });
  return rows.map(toEntry);
}

export async function markDelivered(client: Client, ids: number[]): Promise<void> {
  await client.outboxEntry.deleteMany({ where: { id: { in: ids.map(BigInt) } } });
}

/** Removes events that can no longer be delivered, because the operation's record ends without them. */
export async function dropEventsBefore(client: Client, operationId: string, id: number): Promise<void> {
  await client.outboxEntry.deleteMany({ where: { operationId, kind: 'event', id: { lt: id } } });
}

export async function removeStored(tx: Transaction, operationId: string, keys: string[]): Promise<void> {
  const ids = keys.flatMap((key) => (key.startsWith(keyPrefix) ? [BigInt(key.slice(keyPrefix.length))] : []));
  if (ids.length > 0) await tx.outboxEntry.deleteMany({ where: { operationId, id: { in: ids } } });
}

const keyPrefix = 'outbox:';

function toEntry(row: OutboxRow): OutboxEntry {
  const { operationId } = row;
  const header = {
    id: Number(row.id),
    key: `${keyPrefix}${row.id}`,
    operationId,
    at: row.createdAt.toISOString(),
  };
  const read =
    row.kind === 'job'
      ? jobOrderSchema.transform((payload) => ({ kind: 'job' as const, payload })).safeParse(row.payload)
      : eventBodySchema.transform((payload) => ({ kind: 'event' as const, payload })).safeParse(row.payload);
  if (read.success) return { ...header, ...read.data };
  const { field, message } = describeIssue(read.error);
  return { ...header, kind: 'unreadable', problem: `outbox entry ${row.id}: ${field} ${message}` };
}
