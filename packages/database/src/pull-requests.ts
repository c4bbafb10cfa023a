/** Pull requests of the local forge. Other forges store their own. */
import { newId, type ProposalInput } from '@fettle/contract';
import { type Client, storableText, type Transaction, toJson } from './client.ts';
import type { PullRequest as PullRequestRow } from './generated/client.ts';
import { lockOperation } from './operations/lock-operation.ts';
import { assertOwned } from './operations/move-operation.ts';

export type PullRequestState = 'open' | 'draft' | 'merged' | 'closed';

export interface PullRequest extends Omit<ProposalInput, 'fence' | 'draft'> {
  id: string;
  repositoryId: string;
  operationId: string;
  number: number;
  state: PullRequestState;
  createdAt: string;
  updatedAt: string;
}

export interface NewPullRequest extends Omit<ProposalInput, 'fence'> {
  operationId: string;
  repositoryId: string;
  /** Without it, the caller must have checked that the owner of the operation asks. */
  fence?: number;
}

/** One per operation: a second call updates the first pull request and keeps its number. */
export async function openPullRequest(client: Client, input: NewPullRequest): Promise<PullRequest> {
  const { operationId, repositoryId } = input;
  return client.$transaction(async (tx) => {
    assertOwned(await lockOperation(tx, operationId), input.fence);
    const known = await tx.pullRequest.findUnique({ where: { operationId } });
    const data = describe(input);
    if (known) return toPullRequest(await tx.pullRequest.update({ where: { operationId }, data }));
    const number = await nextNumber(tx, repositoryId);
    const created = { id: newId('pr'), operationId, repositoryId, number, createdAt: data.updatedAt };
    return toPullRequest(await tx.pullRequest.create({ data: { ...created, ...data } }));
  });
}

function describe(input: NewPullRequest) {
  const { branch, baseBranch, baseCommit, headCommit, draft, stat, commits } = input;
  return {
    ...{ branch, baseBranch, baseCommit, headCommit },
    state: draft ? 'draft' : 'open',
    title: storableText(input.title),
    body: storableText(input.body),
    diff: storableText(input.diff),
    stat: toJson(stat),
    commits: toJson(commits),
    updatedAt: new Date(),
  };
}

/** Locks the repository's row, so that numbers are consecutive, also after a rollback. */
async function nextNumber(tx: Transaction, repositoryId: string): Promise<number> {
  await tx.$queryRaw`SELECT id FROM repository WHERE id = ${repositoryId} FOR NO KEY UPDATE`;
  const last = await tx.pullRequest.findFirst({
    where: { repositoryId },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  return (last?.number ?? 0) + 1;
}

export async function getPullRequest(
  client: Client,
  id: string,
  organizationId?: string,
): Promise<PullRequest | undefined> {
  const where = { id, ...(organizationId !== undefined && { repository: { organizationId } }) };
  const row = await client.pullRequest.findUnique({ where });
  return row ? toPullRequest(row) : undefined;
}

export async function listPullRequests(
  client: Client,
  query: { repositoryId: string; limit?: number },
): Promise<PullRequest[]> {
  const { repositoryId, limit = 100 } = query;
  const rows = await client.pullRequest.findMany({
    where: { repositoryId },
    orderBy: { number: 'desc' },
    take: limit,
  });
  return rows.map(toPullRequest);
}

function toPullRequest(row: PullRequestRow): PullRequest {
  return {
    ...row,
    state: row.state as PullRequestState,
    stat: row.stat as PullRequest['stat'],
    commits: row.commits as PullRequest['commits'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
