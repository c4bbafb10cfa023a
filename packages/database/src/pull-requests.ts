/** The pull requests of all forges. */
import { newId, type ProposalInput } from '@fettle/contract';
import { type Client, storableText, type Transaction, toJson } from './client.ts';
import type { PullRequest as PullRequestRow } from './generated/client.ts';
import { lockOperation } from './operations/lock-operation.ts';
import { assertOwned } from './operations/move-operation.ts';

export type PullRequestState = 'open' | 'draft' | 'merged' | 'closed';

type Stored = Omit<ProposalInput, 'fence' | 'draft' | 'labels' | 'reviewers'>;

export interface PullRequest extends Stored {
  id: string;
  repositoryId: string;
  operationId: string;
  number: number;
  /** The page on GitHub. Null for the local forge. */
  url: string | null;
  state: PullRequestState;
  /** The state on GitHub, as far as Fettle knows. Null for the local forge. */
  remoteState: PullRequestState | null;
  createdAt: string;
  updatedAt: string;
}

export interface NewPullRequest extends Stored {
  draft: boolean;
  operationId: string;
  repositoryId: string;
  /** Without it, the caller must have checked that the owner of the operation asks. */
  fence?: number;
  /** The pull request on GitHub. Without it, the number is the next one of the repository. */
  remote?: { number: number; url: string; state: PullRequestState };
}

/** One per operation: a second call updates the first pull request and keeps its number. */
export async function openPullRequest(client: Client, input: NewPullRequest): Promise<PullRequest> {
  const { operationId, repositoryId } = input;
  return client.$transaction(async (tx) => {
    assertOwned(await lockOperation(tx, operationId), input.fence);
    const known = await tx.pullRequest.findUnique({ where: { operationId } });
    const { remote } = input;
    const data = {
      ...describe(input),
      ...(remote && { url: remote.url, remoteState: remote.state, state: remote.state }),
    };
    if (known) return toPullRequest(await tx.pullRequest.update({ where: { operationId }, data }));
    const number = remote?.number ?? (await nextNumber(tx, repositoryId));
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
  const where = {
    OR: [{ id }, { operationId: id }],
    ...(organizationId !== undefined && { repository: { organizationId } }),
  };
  const row = await client.pullRequest.findFirst({ where });
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

/** The pull request of an operation, if it has one. */
export async function findPullRequest(client: Client, operationId: string): Promise<PullRequest | undefined> {
  const row = await client.pullRequest.findUnique({ where: { operationId } });
  return row ? toPullRequest(row) : undefined;
}

const maxListed = 50;

/** Pull requests that are open on GitHub although their operation has ended. */
export async function listPullRequestsToClose(client: Client): Promise<PullRequest[]> {
  const rows = await client.pullRequest.findMany({
    where: { state: 'closed', remoteState: { in: ['open', 'draft'] } },
    orderBy: { updatedAt: 'asc' },
    take: maxListed,
  });
  return rows.map(toPullRequest);
}

/** Records what happened to a pull request on GitHub. */
export async function notePullRequest(
  client: Client,
  { id, remoteState }: { id: string; remoteState: PullRequestState },
): Promise<void> {
  const data = { state: remoteState, remoteState, updatedAt: new Date() };
  await client.pullRequest.updateMany({ where: { id }, data });
}

function toPullRequest(row: PullRequestRow): PullRequest {
  return {
    ...row,
    state: row.state as PullRequestState,
    remoteState: row.remoteState as PullRequestState | null,
    stat: row.stat as PullRequest['stat'],
    commits: row.commits as PullRequest['commits'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
