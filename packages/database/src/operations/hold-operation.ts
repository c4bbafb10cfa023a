/** Holds an operation in the queue while its repository has as many pull requests of Fettle as the operator allows. */
import { FettleError, workedStates } from '@fettle/contract';
import type { Transaction } from '../client.ts';

export interface ProposalLimits {
  /** Open pull requests of Fettle in one repository. */
  open: number;
  /** New pull requests of Fettle in one repository and hour. */
  perHour: number;
}

const holdMs = 30_000;
const hourMs = 60 * 60_000;

/** Applies on GitHub only. Returns the error for the worker, and records the reason, if the operation has to wait. */
export async function findHold(
  tx: Transaction,
  id: string,
  limits: ProposalLimits,
): Promise<FettleError | undefined> {
  const row = await tx.operation.findUnique({
    where: { id },
    include: { repository: { select: { id: true, name: true, forge: true } }, pullRequest: true },
  });
  if (row?.state !== 'queued' || row.kind === 'ask' || row.pullRequest) return undefined;
  const { repository } = row;
  if (repository.forge !== 'github') return undefined;
  const reason = await findExceeded(tx, repository, limits);
  if (reason === undefined) return undefined;
  const data = { notBefore: new Date(Date.now() + holdMs), heldBy: reason };
  await tx.operation.updateMany({ where: { id, state: 'queued' }, data });
  return new FettleError('conflict', `Operation ${id} waits for ${reason}.`, undefined, holdMs);
}

async function findExceeded(
  tx: Transaction,
  { id: repositoryId, name }: { id: string; name: string },
  { open, perHour }: ProposalLimits,
): Promise<string | undefined> {
  // One claim at a time, so that several cannot take the last place.
  await tx.$queryRaw`SELECT id FROM repository WHERE id = ${repositoryId} FOR NO KEY UPDATE`;
  // They will open one each.
  const coming = await tx.operation.count({
    where: { repositoryId, state: { in: workedStates }, kind: { not: 'ask' }, pullRequest: null },
  });
  const isOpen = { repositoryId, state: { in: ['open', 'draft'] } };
  const opened = await tx.pullRequest.count({ where: isOpen });
  if (opened + coming >= open)
    return `one of the ${open} open pull requests in ${name} to be merged or closed (FETTLE_MAX_OPEN_PULL_REQUESTS)`;
  const since = new Date(Date.now() - hourMs);
  const recent = await tx.pullRequest.count({ where: { repositoryId, createdAt: { gt: since } } });
  if (recent + coming >= perHour)
    return `the next hour, because ${name} gets at most ${perHour} pull requests per hour (FETTLE_MAX_HOURLY_PULL_REQUESTS)`;
  return undefined;
}
