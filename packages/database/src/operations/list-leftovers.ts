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
import { cleanUpAttempt } from './end-operation.ts';
import { operationNotFound } from './lock-operation.ts';

const recentMs = 24 * 3_600_000;
const mostCleanUps = 200;

/**
 * The clean-up jobs of operations that ended within a day and may have left a branch. Nothing says whether one was
 * done: to do it again is one look at the repository.
 */
export async function listCleanUps(client: Client, except: ReadonlySet<string>): Promise<JobOrder[]> {
  const rows = await client.operation.findMany({
    where: {
      state: { in: ['failed', 'cancelled', 'expired'] },
      settledAt: { gt: new Date(Date.now() - recentMs) },
      events: { some: { type: 'proposal.committed' } },
    },
    select: { id: true, priority: true, attemptCount: true },
    orderBy: { id: 'desc' },
    take: mostCleanUps,
  });
  const open = rows.filter(({ id }) => !except.has(id));
  return open.map((row) => {
    const { id, priority } = row;
    return jobOrderSchema.parse({ operationId: id, priority, attempt: cleanUpAttempt(row), notBefore: null });
  });
}

/** The branches that an operation may have pushed and has no proposal for, now that it has ended. */
export async function listLeftovers(client: Client, id: string): Promise<Leftovers & { ended: boolean }> {
  const row = await client.operation.findUnique({ where: { id }, include: { repository: true } });
  if (!row) throw operationNotFound(id);
  const source = { repositoryId: row.repository.id, url: row.repository.url };
  const isProposed = row.outcome !== null && outcomeSchema.parse(row.outcome).kind === 'proposal';
  const ended = isSettled(stateSchema.parse(row.state));
  if (!ended || isProposed) return { source, branches: [], ended };
  const events = await listEventsOfType(client, id, 'proposal.committed');
  const branches = events.flatMap((event) =>
    event.type === 'proposal.committed' ? [{ branch: event.branch, commit: event.headCommit }] : [],
  );
  return { source, branches, ended };
}
