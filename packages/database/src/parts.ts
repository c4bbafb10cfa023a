import type { Event, EventBody, FinishedPart, StartedToolPart } from '@fettle/contract';
import { type Client, storableText, type Transaction } from './client.ts';
import type { Part as PartRow } from './generated/client.ts';

/** The status of a part. Its content is in the events at the two positions. */
export interface PartSummary {
  number: number;
  turn: number;
  kind: FinishedPart['kind'];
  tool: string | null;
  status: 'started' | 'ok' | 'failed' | 'denied' | 'interrupted';
  durationMs: number | null;
  checkpoint: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  startedPosition: number | null;
  finishedPosition: number | null;
}

type PartEvent = Extract<Event, { type: 'part.started' | 'part.finished' }>;

/** One statement for all parts: Prisma's upsert needs one per part, and the api does this for every turn. */
export async function projectParts(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  const parts = new Map<number, PartData>();
  for (const event of events) {
    if (event.type !== 'part.started' && event.type !== 'part.finished') continue;
    const data = event.type === 'part.started' ? describeStart(event) : describeFinish(event);
    const { number } = event.part;
    parts.set(number, { ...parts.get(number), ...data });
  }
  if (parts.size === 0) return;
  const rows = JSON.stringify([...parts].map(([number, data]) => ({ number, ...data })));
  await tx.$executeRaw`
    INSERT INTO part (operation_id, number, turn, kind, tool, status, duration_ms, checkpoint,
      started_at, finished_at, started_position, finished_position)
    SELECT ${operationId}, number, turn, kind, tool, status, "durationMs", checkpoint,
      "startedAt", "finishedAt", "startedPosition", "finishedPosition"
    FROM json_to_recordset(${rows}::json) AS row (number int, turn int, kind text, tool text, status text,
      "durationMs" float, checkpoint text, "startedAt" timestamptz, "finishedAt" timestamptz,
      "startedPosition" int, "finishedPosition" int)
    ON CONFLICT (operation_id, number) DO UPDATE SET
      turn = excluded.turn, kind = excluded.kind, tool = excluded.tool, status = excluded.status,
      duration_ms = excluded.duration_ms, checkpoint = excluded.checkpoint,
      started_at = coalesce(excluded.started_at, part.started_at), finished_at = excluded.finished_at,
      started_position = coalesce(excluded.started_position, part.started_position),
      finished_position = excluded.finished_position`;
}

type PartData = Partial<Omit<PartSummary, 'number'>>;

function describeStart({ part, at, position }: Extract<PartEvent, { type: 'part.started' }>): PartData {
  const { turn, kind } = part;
  const start = { startedAt: at, startedPosition: position };
  // A part that a later attempt starts again has not finished.
  const end = { durationMs: null, checkpoint: null, finishedAt: null, finishedPosition: null };
  return { turn, kind, tool: storableText(part.tool), status: 'started', ...start, ...end };
}

function describeFinish({ part, at, position }: Extract<PartEvent, { type: 'part.finished' }>): PartData {
  const { turn, kind } = part;
  const end = { finishedAt: at, finishedPosition: position };
  if (part.kind !== 'tool') return { turn, kind, status: 'ok', ...end };
  const { status, durationMs, checkpoint = null } = part;
  return { turn, kind, tool: storableText(part.tool), status, durationMs, checkpoint, ...end };
}

export async function listParts(client: Client, operationId: string): Promise<PartSummary[]> {
  const rows = await client.part.findMany({ where: { operationId }, orderBy: { number: 'asc' } });
  return rows.map(toPart);
}

function toPart({ operationId: _, ...row }: PartRow): PartSummary {
  return {
    ...row,
    kind: row.kind as PartSummary['kind'],
    status: row.status as PartSummary['status'],
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** Counts tool parts that ran to their end. */
export async function countFinishedTools(tx: Transaction, operationId: string): Promise<number> {
  return tx.part.count({
    where: { operationId, kind: 'tool', status: { notIn: ['started', 'interrupted'] } },
  });
}

/** Calls that started and did not finish, in the order of the model's answer. */
export async function listOpenParts(
  client: Client | Transaction,
  operationId: string,
): Promise<StartedToolPart[]> {
  const open = await client.part.findMany({
    where: { operationId, status: 'started' },
    select: { startedPosition: true },
  });
  const positions = open.flatMap(({ startedPosition }) => startedPosition ?? []);
  const rows = await client.event.findMany({
    where: { operationId, position: { in: positions } },
    orderBy: { position: 'asc' },
  });
  return rows.flatMap((row) => {
    const body = row.body as EventBody;
    return body.type === 'part.started' ? [body.part] : [];
  });
}
