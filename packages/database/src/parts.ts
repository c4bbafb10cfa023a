import type { Event, FinishedPart } from '@fettle/contract';
import { type Client, storableText, type Transaction } from './client.ts';
import type { Part as PartRow, Prisma } from './generated/client.ts';

/** What became of a part; its content is in the events at the two positions. */
export interface PartSummary {
  number: number;
  turn: number;
  kind: FinishedPart['kind'];
  tool: string | null;
  status: 'started' | 'ok' | 'failed' | 'denied';
  durationMs: number | null;
  checkpoint: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  startedPosition: number | null;
  finishedPosition: number | null;
}

type PartEvent = Extract<Event, { type: 'part.started' | 'part.finished' }>;

export async function projectParts(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  // A part that started and finished in one batch is one row to write, not two.
  const parts = new Map<number, PartData>();
  for (const event of events) {
    if (event.type !== 'part.started' && event.type !== 'part.finished') continue;
    const data = event.type === 'part.started' ? describeStart(event) : describeFinish(event);
    const { number } = event.part;
    parts.set(number, { ...parts.get(number), ...data });
  }
  for (const [number, data] of parts) {
    await tx.part.upsert({
      where: { operationId_number: { operationId, number } },
      create: { operationId, number, ...data },
      update: data,
    });
  }
}

type PartData = Omit<Prisma.PartUncheckedCreateInput, 'operationId' | 'number'>;

function describeStart({ part, at, position }: Extract<PartEvent, { type: 'part.started' }>): PartData {
  const { turn, kind } = part;
  const start = { startedAt: at, startedPosition: position };
  // A part that starts again, in a later attempt, has not finished.
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
