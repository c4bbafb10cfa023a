/** Which effect an event has, and the key under which it happens once. */

import { followAccess } from '../changes/follow-access.ts';
import { followPull } from '../changes/follow-pull.ts';
import { followRepository } from '../changes/follow-repository.ts';
import { handleCheckRun } from '../checks/handle-check-run.ts';
import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import { handleIssueComment } from '../requests/handle-issue-comment.ts';
import { handleLabel } from '../requests/handle-label.ts';
import { handleReview } from '../steering/handle-review.ts';
import { handleReviewComment } from '../steering/handle-review-comment.ts';
import { type EventName, type Payload, payloadSchemas } from './payloads.ts';

export interface PlannedEffect {
  /**
   * Names the comment, review, label or check, never the delivery, whose id is not signed. Without a key the effect may be
   * repeated: it compares Fettle with the current state of GitHub.
   */
  key?: string;
  run(context: EventContext): Promise<EffectResult>;
}
type Plan = PlannedEffect | { ignored: string };

export const knownEvents: readonly string[] = Object.keys(payloadSchemas);

const plans: { [Name in EventName]: (payload: Payload<Name>) => Plan } = {
  issue_comment: (payload) =>
    only(payload.action === 'created', 'comments count when they are created', {
      key: `comment:${payload.comment.id}`,
      run: (context) => handleIssueComment(context, payload),
    }),
  pull_request_review_comment: (payload) =>
    only(payload.action === 'created', 'comments count when they are created', {
      key: `review-comment:${payload.comment.id}`,
      run: (context) => handleReviewComment(context, payload),
    }),
  pull_request_review: (payload) =>
    only(payload.action === 'submitted', 'reviews count when they are submitted', {
      key: `review:${payload.review.id}`,
      run: (context) => handleReview(context, payload),
    }),
  issues: (payload) =>
    only(payload.action === 'labeled' && payload.label !== undefined, 'only labels count', {
      key: `label:${payload.repository.id}:${payload.issue.number}:${payload.label?.name}:${payload.issue.updated_at}`,
      run: (context) => handleLabel(context, payload),
    }),
  check_run: (payload) =>
    only(payload.action === 'completed', 'checks count when they are completed', {
      key: `check:${payload.check_run.id}:${payload.check_run.completed_at}`,
      run: (context) => handleCheckRun(context, payload),
    }),
  pull_request: (payload) => ({ run: (context) => followPull(context, payload) }),
  push: ({ repository, ref }) => ({
    run: (context) => followPull(context, { repository, branch: branchOf(ref) }),
  }),
  delete: ({ repository, ref, ref_type }) =>
    only(ref_type === 'branch', 'only branches count', {
      run: (context) => followPull(context, { repository, branch: ref }),
    }),
  repository: (payload) => ({ run: (context) => followRepository(context, payload) }),
  installation: ({ installation }) => ({
    run: (context) => followAccess(context, { owner: installation.account?.login }),
  }),
  installation_repositories: (payload) => ({
    run: (context) =>
      followAccess(context, {
        names: [...payload.repositories_added, ...payload.repositories_removed].map((each) => each.full_name),
      }),
  }),
};

export function listEffects(event: string, text: string): Plan {
  if (!Object.hasOwn(plans, event)) return { ignored: 'Fettle does nothing for this event.' };
  const name = event as EventName;
  const payload = payloadSchemas[name].safeParse(JSON.parse(text));
  if (!payload.success) return { ignored: `a field is missing: ${payload.error.issues[0]?.path.join('.')}` };
  return (plans[name] as (payload: unknown) => Plan)(payload.data);
}

function only(counts: boolean, otherwise: string, effect: PlannedEffect): Plan {
  return counts ? effect : { ignored: otherwise };
}

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '');
