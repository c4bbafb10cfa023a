import {
  FettleError,
  type Operation,
  type OperationFilter,
  type OperationList,
  type State,
} from '@fettle/contract';
import type { Client } from '../client.ts';
import type { Prisma } from '../generated/client.ts';
import { operationInclude, toOperation } from './operation-row.ts';

/** With an organization given, operations of other organizations are not found. */
export async function getOperation(
  client: Client,
  id: string,
  organizationId?: string,
): Promise<Operation | undefined> {
  const where = { id, ...(organizationId !== undefined && { organizationId }) };
  const row = await client.operation.findUnique({ where, include: operationInclude });
  return row ? toOperation(row) : undefined;
}

/** Newest first. */
export async function listOperations(
  client: Client,
  query: { organizationId: string; filter: OperationFilter },
): Promise<OperationList> {
  const { organizationId, filter } = query;
  const rows = await client.operation.findMany({
    where: { organizationId, ...toConditions(filter) },
    include: operationInclude,
    orderBy: { id: 'desc' },
    take: filter.limit + 1,
  });
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  const nextCursor = rows.length > page.length && last ? encodeCursor(last.id) : null;
  return { operations: page.map(toOperation), nextCursor };
}

export async function listInRepository(
  client: Client,
  { repositoryId, states }: { repositoryId: string; states: readonly State[] },
): Promise<Operation[]> {
  const where = { repositoryId, state: { in: [...states] } };
  return (await client.operation.findMany({ where, include: operationInclude })).map(toOperation);
}

/** The operations that this name has paused, or asked to pause. */
export async function listPausedBy(
  client: Client,
  { repositoryId, by }: { repositoryId: string; by: string },
): Promise<Operation[]> {
  const where = { repositoryId, pauseAskedBy: by };
  return (await client.operation.findMany({ where, include: operationInclude })).map(toOperation);
}

function toConditions({ state, kind, repository, id, cursor }: OperationFilter): Prisma.OperationWhereInput {
  return {
    ...(state !== undefined && { state }),
    ...(kind !== undefined && { kind }),
    ...(repository !== undefined && { repository: { OR: [{ name: repository }, { url: repository }] } }),
    ...(id !== undefined && { OR: matchesPart(id) }),
    ...(cursor !== undefined && { id: { lt: decodeCursor(cursor) } }),
  };
}

function matchesPart(part: string): Prisma.OperationWhereInput[] {
  // In a pattern, _ stands for any character.
  const exact = part.replaceAll('_', '\\_');
  return [
    { id: { startsWith: exact } },
    { id: { startsWith: `op\\_${exact}` } },
    { id: { endsWith: exact } },
  ];
}

function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (/^op_[0-9a-z]+$/.test(id) && encodeCursor(id) === cursor) return id;
  throw new FettleError('bad_request', 'must be the nextCursor of an earlier response', 'cursor');
}
