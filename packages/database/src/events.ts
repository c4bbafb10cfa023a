import { isDeepStrictEqual } from 'node:util';
import { type Event, type EventBody, type EventType, FettleError } from '@fettle/contract';
import type { Client, Transaction } from './client.ts';
import { projectDenials } from './denials.ts';
import type { Event as EventRow } from './generated/client.ts';
import { projectSeen } from './messages.ts';
import { lockOperation } from './operations/lock-operation.ts';
import { removeStored } from './outbox.ts';
import { projectParts } from './parts.ts';

/** Stores new events and ignores stored ones. Rejects a gap, and a different event at a position that is taken. */
export async function appendEvents(
  client: Client,
  operationId: string,
  events: Event[],
  /** The keys with which the events were delivered. Outbox entries are removed in the transaction that stores their events. */
  keys: string[] = [],
): Promise<void> {
  if (events.length === 0) return;
  await client.$transaction(async (tx) => {
    await lockOperation(tx, operationId);
    const last = await readLastPosition(tx, operationId);
    const fresh = events.filter((event) => event.position > last);
    await assertSame(
      tx,
      operationId,
      events.filter((event) => event.position <= last),
    );
    assertNoGap(operationId, last, fresh);
    await insertEvents(tx, operationId, fresh);
    await projectParts(tx, operationId, fresh);
    await projectDenials(tx, operationId, fresh);
    await projectSeen(tx, operationId, fresh);
    await projectTotals(tx, operationId, fresh);
    await removeStored(tx, operationId, keys);
  });
}

/** Updates the totals from the record at once, not only when the worker reports them. */
async function projectTotals(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  const totals = events.flatMap((event) => ('totals' in event && event.totals ? [event.totals] : [])).at(-1);
  if (!totals) return;
  const { parts, turns, tokens, usd } = totals;
  await tx.$executeRaw`
    UPDATE operation SET total_parts = GREATEST(total_parts, ${parts}::int),
      total_turns = GREATEST(total_turns, ${turns}::int), total_tokens = GREATEST(total_tokens, ${tokens}::bigint),
      total_usd = GREATEST(total_usd, ${usd}::float8)
    WHERE id = ${operationId}`;
}

/** The same event may come twice. A different event at the same position would be lost silently. */
async function assertSame(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  const positions = events.map(({ position }) => position);
  const rows = await tx.event.findMany({ where: { operationId, position: { in: positions } } });
  const stored = new Map(rows.map((row) => [row.position, toEvent(row)]));
  const other = events.find((event) => !isSame(event, stored.get(event.position)));
  if (other)
    throw new FettleError(
      'conflict',
      `Event ${other.position} of ${operationId} cannot be stored: a different event has that position.`,
      'position',
    );
}

/** Compares texts first: a deep comparison needs a stack as deep as the value, and a model's output may be nested deeply. */
function isSame(event: Event, stored: Event | undefined): boolean {
  return (stored && textOf(event) === textOf(stored)) || isDeepStrictEqual(event, stored);
}

function textOf({ operationId, position, at, ...body }: Event): string {
  return `${operationId} ${position} ${at} ${JSON.stringify(body)}`;
}

function assertNoGap(operationId: string, last: number, fresh: Event[]): void {
  fresh.forEach((event, index) => {
    if (event.operationId !== operationId) {
      throw new Error(`An event of ${event.operationId} was passed for ${operationId}`);
    }
    const expected = last + index + 1;
    if (event.position !== expected) {
      throw new FettleError(
        'conflict',
        `Event ${event.position} of ${operationId} cannot be stored: the next position is ${expected}.`,
        'position',
      );
    }
  });
}

/** One array per column: Prisma's createMany uses five parameters per event, which took half of the time. */
async function insertEvents(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  const positions = events.map(({ position }) => position);
  const times = events.map(({ at }) => at);
  const types = events.map(({ type }) => type);
  const bodies = events.map(({ operationId: _, position, at, ...body }) => JSON.stringify(body));
  await tx.$executeRaw`
    INSERT INTO event (operation_id, position, at, type, body)
    SELECT ${operationId}, position, at, type, body::json
    FROM unnest(${positions}::int[], ${times}::timestamptz[], ${types}::text[], ${bodies}::text[])
      AS row (position, at, type, body)`;
}

export async function listEvents(
  client: Client,
  query: { operationId: string; after?: number; limit?: number },
): Promise<Event[]> {
  const { operationId, after = 0, limit = 1_000 } = query;
  const rows = await client.event.findMany({
    where: { operationId, position: { gt: after } },
    orderBy: { position: 'asc' },
    take: limit,
  });
  return rows.map(toEvent);
}

export async function listEventsOfType(
  client: Client | Transaction,
  operationId: string,
  type: EventType,
): Promise<Event[]> {
  const rows = await client.event.findMany({ where: { operationId, type }, orderBy: { position: 'asc' } });
  return rows.map(toEvent);
}

/** Newest first. */
export async function listLastEvents(client: Client, operationId: string, limit: number): Promise<Event[]> {
  const rows = await client.event.findMany({
    where: { operationId },
    orderBy: { position: 'desc' },
    take: limit,
  });
  return rows.map(toEvent);
}

/** Not parsed again: only parsed events are stored, and long records are read often. */
function toEvent({ operationId, position, at, body }: EventRow): Event {
  return { operationId, position, at: at.toISOString(), ...(body as EventBody) };
}

/** The last position of an operation's record, and its current fencing number. */
export async function readPlace(
  client: Client,
  operationId: string,
): Promise<{ position: number; fence: number }> {
  const operation = await client.operation.findUnique({
    where: { id: operationId },
    select: { fence: true },
  });
  return { position: await readLastPosition(client, operationId), fence: operation?.fence ?? 0 };
}

/** 0 if there are no events. */
export async function readLastPosition(client: Client | Transaction, operationId: string): Promise<number> {
  // Not an aggregate, because Prisma's reads every row of the operation.
  const last = await client.event.findFirst({
    where: { operationId },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return last?.position ?? 0;
}
