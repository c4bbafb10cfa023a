/** Reads from the record what a revision starts from: the proposal as it stands, and what was used up before. */
import { sumSpent } from '@fettle/agent';
import type { Event, Operation, Outcome } from '@fettle/contract';

export interface Revision {
  number: number;
  /** The index of its first event. */
  firstEvent: number;
  startedAt: string;
  /** The proposal as it stands. */
  proposed: Extract<Outcome, { kind: 'proposal' }>;
  /** The agent's descriptions of the commits so far, oldest first. */
  summaries: string[];
  /** The head of the branch that this revision started from. Undefined until it has begun. */
  followed: string | undefined;
  /** Why the revision before this one ended without a commit, if it did. Its work is not in the files. */
  discarded: string | undefined;
  /** What earlier revisions used up. Each revision has the whole budget. */
  spentBefore: ReturnType<typeof sumSpent>;
}

export function readRevision(events: Event[], { outcome }: Pick<Operation, 'outcome'>): Revision | undefined {
  const firstEvent = events.findLastIndex(({ type }) => type === 'revision.started');
  const started = events[firstEvent];
  if (started?.type !== 'revision.started' || outcome?.kind !== 'proposal') return undefined;
  const before = events.slice(0, firstEvent);
  const opened = new Set(
    before.flatMap((event) => (event.type === 'proposal.opened' ? [event.headCommit] : [])),
  );
  const followed = events.findLast((event, index) => index > firstEvent && event.type === 'branch.followed');
  return {
    number: started.revision,
    firstEvent,
    startedAt: started.at,
    proposed: outcome,
    summaries: before.flatMap((event) =>
      event.type === 'proposal.committed' && opened.delete(event.headCommit) ? [event.summary ?? ''] : [],
    ),
    discarded: readDiscarded(before),
    followed: followed?.type === 'branch.followed' ? followed.commit : undefined,
    spentBefore: sumSpent(before),
  };
}

function readDiscarded(before: Event[]): string | undefined {
  const last = before.findLast(({ type }) => type === 'revision.ended' || type === 'proposal.opened');
  if (last?.type !== 'revision.ended' || last.outcome.kind !== 'failure') return undefined;
  return last.outcome.message;
}
