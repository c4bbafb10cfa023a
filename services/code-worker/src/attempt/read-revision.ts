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
  /** The head of the branch, if others moved it and this revision continues from there. */
  followed: string | undefined;
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
    followed: followed?.type === 'branch.followed' ? followed.commit : undefined,
    spentBefore: sumSpent(before),
  };
}
