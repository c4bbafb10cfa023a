/** Where on a forge operations were requested, and the comment that shows the state of each. */
import { isSettled, type Operation, type State, states } from '@fettle/contract';
import type { Client } from '../client.ts';
import type { ForgeThread as ThreadRow } from '../generated/client.ts';
import { operationInclude, toOperation } from '../operations/operation-row.ts';

export interface Thread {
  operationId: string;
  repositoryId: string;
  /** `owner/name` */
  repository: string;
  number: number;
  reviewId: number | undefined;
  commentId: number | undefined;
  /** The text that the comment shows. */
  shown: string | undefined;
  createdAt: Date;
}

export interface NewThread {
  operationId: string;
  repositoryId: string;
  number: number;
  reviewId?: number | undefined;
}

export async function openThread(client: Client, { reviewId, ...input }: NewThread): Promise<void> {
  const data = {
    ...input,
    reviewId: reviewId === undefined ? null : BigInt(reviewId),
    createdAt: new Date(),
  };
  await client.forgeThread.createMany({ data: [data], skipDuplicates: true });
}

const unsettled = states.filter((state) => !isSettled(state));

/** Threads whose operation works, or has changed since its comment was compared. `before` bounds how often each is listed. */
export async function listThreadsToShow(
  client: Client,
  { before, limit }: { before: Date; limit: number },
): Promise<{ thread: Thread; operation: Operation }[]> {
  const ids = await client.$queryRaw<{ id: string }[]>`
    SELECT t.operation_id AS id FROM forge_thread t JOIN operation o ON o.id = t.operation_id
    WHERE t.shown_at IS NULL
      OR (t.shown_at < ${before} AND (o.state_since >= t.shown_at OR o.state = ANY (${unsettled})))
    ORDER BY t.shown_at NULLS FIRST LIMIT ${limit}`;
  const rows = await client.forgeThread.findMany({
    where: { operationId: { in: ids.map(({ id }) => id) } },
    include: { repository: true, operation: { include: operationInclude } },
  });
  return rows.map((row) => ({
    thread: toThread(row, row.repository.name),
    operation: toOperation(row.operation),
  }));
}

export async function noteThread(
  client: Client,
  operationId: string,
  { commentId, shown, shownAt }: { commentId: number | undefined; shown: string; shownAt: Date },
): Promise<void> {
  const data = { shown, shownAt, ...(commentId !== undefined && { commentId }) };
  await client.forgeThread.update({ where: { operationId }, data });
}

export interface ThreadQuery {
  repositoryId: string;
  number: number;
  inStates?: readonly State[];
}

/** The newest operation of an issue or a pull request: requested there, or proposed as this pull request. */
export async function findOperationAt(
  client: Client,
  { repositoryId, number, inStates = states }: ThreadQuery,
): Promise<Operation | undefined> {
  const row = await client.operation.findFirst({
    where: {
      repositoryId,
      state: { in: [...inStates] },
      OR: [{ pullRequest: { number } }, { forgeThread: { number } }],
    },
    include: operationInclude,
    orderBy: { id: 'desc' },
  });
  return row ? toOperation(row) : undefined;
}

/** The operation that proposed a pull request. */
export async function findProposer(
  client: Client,
  place: { repositoryId: string; number: number },
): Promise<Operation | undefined> {
  const row = await client.operation.findFirst({
    where: { repositoryId: place.repositoryId, pullRequest: { number: place.number } },
    include: operationInclude,
  });
  return row ? toOperation(row) : undefined;
}

export interface HeadQuery {
  repositoryId: string;
  commit?: string;
  branch?: string | undefined;
}

/** The operation whose pull request has this branch or head. */
export async function findOperationByHead(
  client: Client,
  { repositoryId, commit, branch }: HeadQuery,
): Promise<Operation | undefined> {
  const places = [
    ...(branch === undefined ? [] : [{ branch }]),
    ...(commit === undefined ? [] : [{ headCommit: commit }]),
  ];
  const row = await client.operation.findFirst({
    where: { repositoryId, pullRequest: { OR: places } },
    include: operationInclude,
    orderBy: { id: 'desc' },
  });
  return row ? toOperation(row) : undefined;
}

/** Where the pull request of an operation is. */
export async function findPullRequestPlace(
  client: Client,
  operationId: string,
): Promise<{ repositoryId: string; number: number } | undefined> {
  const select = { repositoryId: true, number: true };
  return (await client.pullRequest.findUnique({ where: { operationId }, select })) ?? undefined;
}

function toThread(row: ThreadRow, repository: string): Thread {
  return {
    operationId: row.operationId,
    repositoryId: row.repositoryId,
    repository,
    number: row.number,
    reviewId: row.reviewId === null ? undefined : Number(row.reviewId),
    commentId: row.commentId === null ? undefined : Number(row.commentId),
    shown: row.shown ?? undefined,
    createdAt: row.createdAt,
  };
}
