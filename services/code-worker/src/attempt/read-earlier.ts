import { type Resumed, resume } from '@fettle/agent';
import type { CheckResult, Event } from '@fettle/contract';
import type { Work } from './attempt.ts';
import { type PlanStanding, readPlanStanding } from './plan-progress.ts';

export type Committed = Extract<Event, { type: 'proposal.committed' }>;

/** What earlier attempts left on record. */
type ReviewFinished = Extract<Event, { type: 'review.finished' }>;

export interface Earlier extends Resumed {
  /** What came after the last answer of the agent that does the work. */
  sinceLastTurn: Event[];
  reviews: ReviewFinished[];
  /** The commit that the operation started from: it stays the same, whatever happens to the branch. */
  base: { branch: string; commit: string } | undefined;
  /** What the checks had said of that commit. */
  baseChecks: CheckResult[];
  /** The commit that is to be pushed, if it has come that far. */
  proposal: Committed | undefined;
  /** Whether its pull request has been told of. */
  isOpened: boolean;
  plan: PlanStanding;
}

export async function readEarlier(work: Work): Promise<Earlier | undefined> {
  if (work.claim.attempt === 1) return undefined;
  const events = await work.readRecord();
  const resumed = resume(events, undefined, work.masking.mask);
  Object.assign(work.totals, resumed.conversation.totals);
  const ready = events.find((event) => event.type === 'workspace.ready');
  const proposal = events.findLast((event) => event.type === 'proposal.committed');
  const plan = readPlanStanding(events);
  return {
    ...resumed,
    sinceLastTurn: events.slice(events.findLastIndex(isAnswer) + 1),
    reviews: events.filter((event) => event.type === 'review.finished'),
    plan,
    // A decision about a plan is what comes next.
    ...(plan.told !== undefined && { start: { told: plan.told }, end: undefined }),
    base:
      ready?.type === 'workspace.ready' ? { branch: ready.baseBranch, commit: ready.baseCommit } : undefined,
    baseChecks: events.flatMap((event) =>
      event.type === 'check.finished' && event.phase === 'base' ? [event.check] : [],
    ),
    proposal: proposal?.type === 'proposal.committed' ? proposal : undefined,
    isOpened: events.some((event) => event.type === 'proposal.opened'),
  };
}

function isAnswer(event: Event): boolean {
  return event.type === 'turn.finished' && event.by === undefined;
}
