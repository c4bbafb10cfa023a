/** What an operation that ended without a proposal may have left in its repository, and who has looked after that. */
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
 * Seconds between one look and the next. A push can outlive its worker, at a slow host for instance, by as much as a
 * push may last: together they are longer than the ten minutes of `pushCommit`.
 */
const pauses = [5, 15, 60, 180, 400];
const longestPauseMs = Math.max(...pauses) * 1000;
/** A branch that the target does not let go is looked after for about a day. */
const mostLooks = 200;
const mostAtOnce = 200;

/** For an operation that ends now and may have pushed something. */
export function owingCleanUp() {
  return { cleanUpAt: new Date(), cleanUpLooks: 0 };
}

/** The number that its next clean-up job goes by: none of an attempt's, and another one for each look. */
export function cleanUpAttempt(row: { attemptCount: number; cleanUpLooks: number }): number {
  return row.attemptCount + 2 + row.cleanUpLooks;
}

/** The clean-up jobs that are due, until a worker has reported what came of them. */
export async function listCleanUps(client: Client): Promise<JobOrder[]> {
  const now = Date.now();
  // A moment further away than any pause says only that a clock was set back.
  const due = [{ cleanUpAt: { lte: new Date(now) } }, { cleanUpAt: { gt: new Date(now + longestPauseMs) } }];
  const rows = await client.operation.findMany({
    where: { OR: due },
    select: { id: true, priority: true, attemptCount: true, cleanUpLooks: true },
    orderBy: { cleanUpAt: 'asc' },
    take: mostAtOnce,
  });
  return rows.map((row) => {
    const { id, priority } = row;
    return jobOrderSchema.parse({ operationId: id, priority, attempt: cleanUpAttempt(row), notBefore: null });
  });
}

/** The branches that an operation may have pushed; none unless it ended without a proposal. */
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

/** A look is over. The last one is the first that finds nothing when no push can be under way any more. */
export async function noteCleanUp(
  client: Client,
  { id, look, found }: { id: string; look: number; found: 'nothing_pushed' | 'gone' | 'left' },
): Promise<CleanUpState> {
  const isLast = found === 'nothing_pushed' || (found === 'gone' && look >= pauses.length);
  const isGivenUp = look + 1 >= mostLooks;
  const pauseMs = (pauses[look] ?? pauses.at(-1) ?? 0) * 1000;
  const next = isLast || isGivenUp ? null : new Date(Date.now() + pauseMs);
  await client.operation.updateMany({
    // Whoever looked at the same time, or says it twice, counts once.
    where: { id, cleanUpLooks: look, cleanUpAt: { not: null } },
    data: { cleanUpAt: next, cleanUpLooks: look + 1 },
  });
  if (isLast) return 'done';
  return isGivenUp ? 'given_up' : 'open';
}
