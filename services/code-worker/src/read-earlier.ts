import { type Resumed, resume } from '@fettle/agent';
import type { Event } from '@fettle/contract';
import { type PlanStanding, readPlanStanding } from './plan-standing.ts';
import type { Work } from './work.ts';

export type Committed = Extract<Event, { type: 'proposal.committed' }>;

/** What earlier attempts left on record. */
export interface Earlier extends Resumed {
  /** The commit that the operation started from: it stays the same, whatever happens to the branch. */
  base: { branch: string; commit: string } | undefined;
  /** The commit that is to be pushed, if it has come that far. */
  proposal: Committed | undefined;
  /** Whether its pull request has been told of. */
  isOpened: boolean;
  plan: PlanStanding;
}

export async function readEarlier(work: Work): Promise<Earlier | undefined> {
  if (work.claim.attempt === 1) return undefined;
  const events = await work.readRecord();
  const resumed = resume(events);
  Object.assign(work.totals, resumed.conversation.totals);
  const ready = events.find((event) => event.type === 'workspace.ready');
  const proposal = events.findLast((event) => event.type === 'proposal.committed');
  const plan = readPlanStanding(events);
  return {
    ...resumed,
    plan,
    // A decision about a plan is what comes next.
    ...(plan.told !== undefined && { start: { told: plan.told }, end: undefined }),
    base:
      ready?.type === 'workspace.ready' ? { branch: ready.baseBranch, commit: ready.baseCommit } : undefined,
    proposal: proposal?.type === 'proposal.committed' ? proposal : undefined,
    isOpened: events.some((event) => event.type === 'proposal.opened'),
  };
}
