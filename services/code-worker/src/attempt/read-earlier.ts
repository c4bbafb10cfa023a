import { type Resumed, resume } from '@fettle/agent';
import type { CheckResult, Event } from '@fettle/contract';
import { testWanted } from '../verify/describe-failures.ts';
import type { Attempt } from './attempt.ts';
import { type PlanProgress, readPlanProgress } from './plan-progress.ts';
import { type Revision, readRevision } from './read-revision.ts';

export type Committed = Extract<Event, { type: 'proposal.committed' }>;
type ReviewFinished = Extract<Event, { type: 'review.finished' }>;

/** The state that earlier attempts left on record, from which this attempt continues. */
export interface Earlier extends Resumed {
  /** All events after the last answer of the main agent. */
  sinceLastTurn: Event[];
  reviews: ReviewFinished[];
  /** The commit that the operation started from. It stays the same when the branch moves on. */
  base: { branch: string; commit: string } | undefined;
  /** The results of the checks on that commit. */
  baseChecks: CheckResult[];
  /** The commit to push, once there is one. */
  proposal: Committed | undefined;
  /** Whether its pull request is on record. */
  isOpened: boolean;
  plan: PlanProgress;
  /** Set if the operation revises its proposal. */
  revision: Revision | undefined;
  /** The agent's answer before it was asked for a test that shows the fault. */
  explanation: string | undefined;
}

export async function readEarlier(
  attempt: Pick<Attempt, 'claim' | 'record' | 'secrets' | 'spent'>,
): Promise<Earlier | undefined> {
  if (attempt.claim.attempt === 1) return undefined;
  const events = await attempt.record.read();
  const revision = readRevision(events, attempt.claim.operation);
  // The commits and reviews of earlier revisions are history.
  const current = events.slice(revision?.firstEvent ?? 0);
  const resumed = resume(events, undefined, attempt.secrets.masking.mask);
  Object.assign(attempt.spent.totals, resumed.conversation.totals);
  const ready = events.find((event) => event.type === 'workspace.ready');
  const proposal = current.findLast((event) => event.type === 'proposal.committed');
  const plan = readPlanProgress(events);
  return {
    ...resumed,
    sinceLastTurn: events.slice(events.findLastIndex(isAnswer) + 1),
    reviews: current.filter((event) => event.type === 'review.finished'),
    plan,
    revision,
    // The next turn starts with the decision about the plan.
    ...(!revision &&
      plan.userMessage !== undefined && { start: { userMessage: plan.userMessage }, end: undefined }),
    base:
      ready?.type === 'workspace.ready' ? { branch: ready.baseBranch, commit: ready.baseCommit } : undefined,
    baseChecks: events.flatMap((event) =>
      event.type === 'check.finished' && event.phase === 'base' ? [event.check] : [],
    ),
    proposal: proposal?.type === 'proposal.committed' ? proposal : undefined,
    isOpened: current.some((event) => event.type === 'proposal.opened'),
    explanation: findExplanation(current),
  };
}

function findExplanation(events: Event[]): string | undefined {
  const asked = events.findIndex(
    (event) => event.type === 'turn.started' && event.by === undefined && event.told?.startsWith(testWanted),
  );
  if (asked === -1) return undefined;
  const before = events.slice(0, asked);
  const answer = before.findLast(isAnswer);
  const texts = before.flatMap((event) => {
    if (event.type !== 'part.finished' || answer?.type !== 'turn.finished') return [];
    const { part } = event;
    return part.kind === 'text' && part.by === undefined && part.turn === answer.turn ? [part.text] : [];
  });
  return texts.join('\n\n').trim();
}

function isAnswer(event: Event): boolean {
  return event.type === 'turn.finished' && event.by === undefined;
}
