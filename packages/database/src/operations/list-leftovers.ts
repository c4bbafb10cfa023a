import { isSettled, type Leftovers, outcomeSchema, stateSchema } from '@fettle/contract';
import type { Client } from '../client.ts';
import { listEventsOfType } from '../events.ts';
import { operationNotFound } from './lock-operation.ts';

/** The branches that an operation may have pushed and has no proposal for, now that it has ended. */
export async function listLeftovers(client: Client, id: string): Promise<Leftovers> {
  const row = await client.operation.findUnique({ where: { id }, include: { repository: true } });
  if (!row) throw operationNotFound(id);
  const source = { repositoryId: row.repository.id, url: row.repository.url };
  const isProposed = row.outcome !== null && outcomeSchema.parse(row.outcome).kind === 'proposal';
  if (!isSettled(stateSchema.parse(row.state)) || isProposed) return { source, branches: [] };
  const events = await listEventsOfType(client, id, 'proposal.committed');
  const branches = events.flatMap((event) =>
    event.type === 'proposal.committed' ? [{ branch: event.branch, commit: event.headCommit }] : [],
  );
  return { source, branches };
}
