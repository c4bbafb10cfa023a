/** What the record of an operation says about its proposal, for the text of the pull request and its check run. */
import type { Event, Operation } from '@fettle/contract';
import type { ProposalFacts } from '@fettle/forge';
import type { Dependencies } from '../dependencies.ts';
import { storeOperation } from '../events/store-operation.ts';

export async function readFacts(
  dependencies: Dependencies,
  operation: Operation,
  headCommit: string,
): Promise<ProposalFacts> {
  const { id, request, requestedBy, totals } = operation;
  const { events } = dependencies.database;
  // The worker appended them a moment ago.
  await storeOperation(dependencies, id);
  const [reviews, commits, turns] = await Promise.all([
    events.listOfType(id, 'review.finished'),
    events.listOfType(id, 'proposal.committed'),
    events.listOfType(id, 'turn.finished'),
  ]);
  const commit = lastOf(commits, 'proposal.committed', (event) => event.headCommit === headCommit);
  return {
    requester: requestedBy,
    requestUrl: request.origin !== undefined && isWebUrl(request.origin) ? request.origin : undefined,
    usd: Math.max(totals.usd, lastOf(turns, 'turn.finished')?.totals.usd ?? 0),
    findings: lastOf(reviews, 'review.finished')?.findings ?? [],
    proof: commit?.proof,
    message: commit?.message,
  };
}

const isWebUrl = (text: string) => /^https?:\/\/[^\s()<>"']+$/.test(text);

function lastOf<Type extends Event['type']>(
  events: Event[],
  type: Type,
  isWanted: (event: Extract<Event, { type: Type }>) => boolean = () => true,
): Extract<Event, { type: Type }> | undefined {
  const found = events.findLast(
    (event) => event.type === type && isWanted(event as Extract<Event, { type: Type }>),
  );
  return found as Extract<Event, { type: Type }> | undefined;
}
