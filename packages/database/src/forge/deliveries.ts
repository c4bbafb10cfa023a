/** Webhooks of a forge, and their effects. A delivery is stored before it is acknowledged, and waits until its effect is done. */
import { type Client, storableText } from '../client.ts';

export interface NewDelivery {
  id: string;
  event: string;
  /** Without it, nothing has to be done for the delivery. */
  payload?: string | undefined;
  /** Why nothing has to be done. */
  note?: string;
}

export interface Delivery {
  id: string;
  event: string;
  payload: string;
  tries: number;
}

export interface DeliveryEnd {
  id: string;
  state: 'done' | 'ignored' | 'failed';
  note: string;
  /** The key of the effect. Its first delivery counts. */
  effect?: string | undefined;
}

/** Returns false if the delivery is known. One statement, because the sender waits for it. */
export async function receiveDelivery(client: Client, input: NewDelivery): Promise<boolean> {
  const { id, event, payload = null, note = null } = input;
  const state = payload === null ? 'ignored' : 'waiting';
  const count = await client.$executeRaw`
    INSERT INTO forge_delivery (id, event, payload, state, note, received_at)
    VALUES (${id}, ${event}, ${payload}, ${state}, ${note}, ${new Date()})
    ON CONFLICT (id) DO NOTHING`;
  return count === 1;
}

/** Undefined if the delivery is unknown or done. */
export async function findWaitingDelivery(client: Client, id: string): Promise<Delivery | undefined> {
  const row = await client.forgeDelivery.findUnique({ where: { id } });
  if (row?.state !== 'waiting' || row.payload === null) return undefined;
  const { event, payload, tries } = row;
  return { id, event, payload, tries };
}

/** The ids of deliveries that are due, oldest first. */
export async function listDueDeliveries(client: Client, limit: number): Promise<string[]> {
  const rows = await client.forgeDelivery.findMany({
    where: { state: 'waiting', OR: [{ notBefore: null }, { notBefore: { lte: new Date() } }] },
    select: { id: true },
    orderBy: { receivedAt: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

export async function hasEffect(client: Client, key: string): Promise<boolean> {
  return (await client.forgeEffect.count({ where: { key } })) > 0;
}

/** Records the effect and removes the content, which is not needed any more. */
export async function endDelivery(client: Client, { id, state, effect, ...end }: DeliveryEnd): Promise<void> {
  const note = storableText(end.note).slice(0, 500);
  await client.$transaction(async (tx) => {
    if (effect !== undefined)
      await tx.forgeEffect.createMany({
        data: [{ key: effect, deliveryId: id, note, at: new Date() }],
        skipDuplicates: true,
      });
    await tx.forgeDelivery.updateMany({ where: { id }, data: { state, note, payload: null } });
  });
}

export async function delayDelivery(
  client: Client,
  { id, untilMs, note }: { id: string; untilMs: number; note: string },
): Promise<void> {
  const data = {
    tries: { increment: 1 },
    notBefore: new Date(untilMs),
    note: storableText(note).slice(0, 500),
  };
  await client.forgeDelivery.updateMany({ where: { id, state: 'waiting' }, data });
}

/** Which of these ids have never been received. */
export async function listUnknownDeliveries(client: Client, ids: string[]): Promise<string[]> {
  const known = await client.forgeDelivery.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const found = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

export interface DeliveryCounts {
  /** How many deliveries are in each state. */
  states: Record<string, number>;
  lastReceivedAt: string | null;
}

export async function countDeliveries(client: Client): Promise<DeliveryCounts> {
  const groups = await client.forgeDelivery.groupBy({
    by: ['state'],
    _count: true,
    _max: { receivedAt: true },
  });
  const last = Math.max(0, ...groups.map(({ _max }) => _max.receivedAt?.getTime() ?? 0));
  return {
    states: Object.fromEntries(groups.map(({ state, _count }) => [state, _count])),
    lastReceivedAt: last === 0 ? null : new Date(last).toISOString(),
  };
}

/** Forgets deliveries that the forge itself no longer lists. Their effects stay. */
export async function forgetDeliveries(client: Client, before: Date): Promise<void> {
  await client.forgeDelivery.deleteMany({ where: { state: { not: 'waiting' }, receivedAt: { lt: before } } });
}

export async function readCursor(client: Client, name: string): Promise<string | undefined> {
  return (await client.forgeCursor.findUnique({ where: { name } }))?.value;
}

export async function writeCursor(client: Client, name: string, value: string): Promise<void> {
  await client.forgeCursor.upsert({ where: { name }, create: { name, value }, update: { value } });
}
