import type { Denial, DenialReport, DeniedGroup, Event } from '@fettle/contract';
import { deniedGroupSchema } from '@fettle/contract';
import { z } from 'zod';
import { type Client, storableText, type Transaction } from './client.ts';
import { Prisma } from './generated/client.ts';

/** Copies denials from new events into their own table. The events remain the source of truth. */
export async function projectDenials(tx: Transaction, operationId: string, events: Event[]): Promise<void> {
  const data = events.flatMap((event) => {
    if (event.type !== 'part.finished' || event.part.kind !== 'tool') return [];
    const { at, position } = event;
    const { number: part, denials = [] } = event.part;
    return denials.map(({ kind, rule, token, subject, reason, instead = null }, index) => ({
      ...{ operationId, position, index, part, at, kind },
      rule: storableText(rule),
      token: storableText(token),
      subject: storableText(subject),
      reason: storableText(reason),
      instead: instead === null ? null : storableText(instead),
    }));
  });
  if (data.length > 0) await tx.denial.createMany({ data });
}

/** The denials of one operation, newest first. */
export async function listDenials(
  client: Client,
  operationId: string,
  limit: number,
): Promise<(Denial & { part: number })[]> {
  const rows = await client.denial.findMany({
    where: { operationId },
    orderBy: [{ position: 'desc' }, { index: 'asc' }],
    take: limit,
  });
  return rows.map(({ part, kind, subject, token, rule, reason, instead }) => ({
    ...{ part, kind: kind as Denial['kind'], subject, token, rule, reason },
    ...(instead !== null && { instead }),
  }));
}

export interface DenialReportQuery {
  organizationId: string;
  since?: string | undefined;
  limit: number;
  offset: number;
}

/** Groups denials by rule and token, most frequent first, with the last example of each group. */
export async function reportDenials(client: Client, query: DenialReportQuery): Promise<DenialReport> {
  const { organizationId, since, limit, offset } = query;
  const from = since === undefined ? Prisma.empty : Prisma.sql`AND d.at >= ${since}::timestamptz`;
  const all = Prisma.sql`
    FROM denial d JOIN operation o ON o.id = d.operation_id
    WHERE o.organization_id = ${organizationId} ${from}`;
  const rows = await client.$queryRaw`
    SELECT d.kind, d.rule, d.token, count(*)::int AS count, count(DISTINCT d.operation_id)::int AS operations,
      max(d.at) AS "lastAt",
      (array_agg(d.operation_id ORDER BY d.at DESC, d.operation_id, d.position DESC, d.index))[1] AS "operationId",
      (array_agg(d.position ORDER BY d.at DESC, d.operation_id, d.position DESC, d.index))[1] AS position,
      (array_agg(d.index ORDER BY d.at DESC, d.operation_id, d.position DESC, d.index))[1] AS index
    ${all}
    GROUP BY d.kind, d.rule, d.token
    ORDER BY count DESC, "lastAt" DESC, d.rule, d.token
    LIMIT ${limit + 1} OFFSET ${offset}`;
  const counted = await client.$queryRaw`SELECT count(*)::int AS total ${all}`;
  const groups = groupRows.parse(rows);
  return {
    since: since ?? null,
    total: totalRows.parse(counted)[0].total,
    groups: await addExamples(client, groups.slice(0, limit)),
    more: groups.length > limit,
  };
}

const groupRows = z.array(
  z.object({
    ...deniedGroupSchema.omit({ lastAt: true, example: true }).shape,
    lastAt: z.date(),
    operationId: z.string(),
    position: z.int(),
    index: z.int(),
  }),
);
const totalRows = z.tuple([z.object({ total: z.int() })]);

async function addExamples(client: Client, groups: z.infer<typeof groupRows>): Promise<DeniedGroup[]> {
  if (groups.length === 0) return [];
  const places = groups.map(({ operationId, position, index }) => ({ operationId, position, index }));
  const rows = await client.denial.findMany({ where: { OR: places } });
  const nameOf = (place: (typeof places)[number]) => `${place.operationId} ${place.position} ${place.index}`;
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return groups.map(({ operationId, position, index, lastAt, ...group }) => {
    const {
      part = 0,
      subject = '',
      reason = '',
      instead,
    } = found.get(nameOf({ operationId, position, index })) ?? {};
    const example = { operationId, part, subject, reason, ...(instead != null && { instead }) };
    return { ...group, lastAt: lastAt.toISOString(), example };
  });
}
