/** The clean-up of branches that an operation without a proposal may have pushed to its repository. */
import {
  isSettled,
  type JobOrder,
  jobOrderSchema,
  type Leftovers,
  outcomeSchema,
  stateSchema,
} from '@fettle/contract';
import type { Client } from '../client.ts';
import { listEventsOfType } from '../events.ts';
import { operationNotFound } from './lock-operation.ts';

/**
 * Seconds between checks. A push can outlive its worker, at a slow host for example, by as long as a push may last. Together
 * the pauses are longer than the time limit of `pushCommit`, which is ten minutes.
 */
const pauses = [5, 15, 60, 180, 400];
const longestPauseMs = Math.max(...pauses) * 1000;
/** The clean-up of a branch that the host does not delete is repeated for about a day. */
const maxChecks = 200;
const maxListed = 200;

/** The columns that order a clean-up, for an operation that ends now and may have pushed a branch. */
export function orderedCleanUp() {
  return { cleanUpAt: new Date(), cleanUpLooks: 0 };
}

/** The attempt number of the next clean-up job. It differs from those of attempts and of other clean-ups. */
export function cleanUpAttempt(row: { attemptCount: number; cleanUpLooks: number }): number {
  return row.attemptCount + 2 + row.cleanUpLooks;
}

/** The clean-up jobs that are due. A job stays due until a worker reports its result. */
export async function listCleanUps(client: Client): Promise<JobOrder[]> {
  const now = Date.now();
  // A time further away than the longest pause means that a clock was set back.
  const due = [{ cleanUpAt: { lte: new Date(now) } }, { cleanUpAt: { gt: new Date(now + longestPauseMs) } }];
  const rows = await client.operation.findMany({
    where: { OR: due },
    select: { id: true, priority: true, attemptCount: true, cleanUpLooks: true },
    orderBy: { cleanUpAt: 'asc' },
    take: maxListed,
  });
  return rows.map((row) => {
    const { id, priority } = row;
    return jobOrderSchema.parse({ operationId: id, priority, attempt: cleanUpAttempt(row), notBefore: null });
  });
}

/** The branches that an operation may have pushed. Empty unless it ended without a proposal. */
export async function listLeftovers(client: Client, id: string): Promise<Leftovers> {
  const row = await client.operation.findUnique({ where: { id }, include: { repository: true } });
  if (!row) throw operationNotFound(id);
  const source = { repositoryId: row.repository.id, url: row.repository.url };
  const isProposed = row.outcome !== null && outcomeSchema.parse(row.outcome).kind === 'proposal';
  const unwanted = isSettled(stateSchema.parse(row.state)) && !isProposed;
  const events = unwanted ? await listEventsOfType(client, id, 'proposal.committed') : [];
  const branches = events.flatMap((event) =>
    event.type === 'proposal.committed' ? [{ branch: event.branch, commit: event.headCommit }] : [],
  );
  return { source, branches, unwanted, look: row.cleanUpLooks };
}

export type CleanUpState = 'done' | 'open' | 'given_up';

/** Records the result of a check. The clean-up is done when a check finds nothing after every push must have ended. */
export async function noteCleanUp(
  client: Client,
  { id, look, found }: { id: string; look: number; found: 'nothing_pushed' | 'gone' | 'left' },
): Promise<CleanUpState> {
  const isLast = found === 'nothing_pushed' || (found === 'gone' && look >= pauses.length);
  const isGivenUp = look + 1 >= maxChecks;
  const pauseMs = (pauses[look] ?? pauses.at(-1) ?? 0) * 1000;
  const next = isLast || isGivenUp ? null : new Date(Date.now() + pauseMs);
  await client.operation.updateMany({
    // Concurrent or repeated reports of the same check count once.
    where: { id, cleanUpLooks: look, cleanUpAt: { not: null } },
    data: { cleanUpAt: next, cleanUpLooks: look + 1 },
  });
  if (isLast) return 'done';
  return isGivenUp ? 'given_up' : 'open';
}
