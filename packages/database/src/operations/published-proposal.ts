/** The proposal that a worker published before it could report it: the pull request is ahead of the operation's outcome. */
import { type Outcome, outcomeSchema } from '@fettle/contract';
import type { Transaction } from '../client.ts';
import { listEventsOfType } from '../events.ts';

type Proposal = Extract<Outcome, { kind: 'proposal' }>;

/** Undefined if the pull request is at the head of the outcome. */
export async function findPublished(
  tx: Transaction,
  { id, outcome }: { id: string; outcome: unknown },
): Promise<Proposal | undefined> {
  const known = outcome === null ? undefined : outcomeSchema.parse(outcome);
  const pullRequest = await tx.pullRequest.findUnique({ where: { operationId: id } });
  if (known?.kind !== 'proposal' || !pullRequest || pullRequest.headCommit === known.headCommit)
    return undefined;
  const { branch, headCommit, title, state } = pullRequest;
  const published = {
    ...{ kind: 'proposal' as const, branch, headCommit, draft: state === 'draft' },
    pullRequest: { ...known.pullRequest, title },
  };
  const events = await listEventsOfType(tx, id, 'proposal.committed');
  const committed = events.findLast((event) => 'headCommit' in event && event.headCommit === headCommit);
  if (committed?.type !== 'proposal.committed') return published;
  const { draft, reason, message, proof, evidence } = committed;
  return {
    ...{ ...published, draft },
    ...(reason && { reason }),
    ...(message !== undefined && { message }),
    ...(proof && { proof }),
    ...(evidence && { evidence }),
  };
}
