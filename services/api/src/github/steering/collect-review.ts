/** Collects a review of Fettle's own pull request, with its comments on lines, as feedback for a revision. */
import type { State } from '@fettle/contract';
import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import { type Review, type ReviewComment, reviewCommentSchema, reviewSchema } from '../events/payloads.ts';
import { readCommand } from '../requests/read-command.ts';
import { refuseAuthor } from '../requests/spoken.ts';

export interface ReviewPlace {
  client: GithubClient;
  repository: string;
  number: number;
  reviewId: number;
}

/** A proposal in another state is merged, closed or ended. */
const openStates: readonly State[] = [
  ...(['queued', 'paused', 'preparing', 'acting', 'verifying', 'proposing'] as const),
  'awaiting_approval',
];

/**
 * GitHub sends an event for the review and one for each of its comments, in any order. All of them lead here, and the
 * review is read from GitHub, so that its feedback is complete and is stored once.
 */
export async function collectReview(context: EventContext, place: ReviewPlace): Promise<EffectResult> {
  const { database } = context.dependencies;
  const { repository, number, client } = place;
  const stored = await database.repositories.findByName({
    ...{ organizationId: context.organizationId, forge: 'github', name: repository },
  });
  const operation = stored && (await database.threads.findProposer({ repositoryId: stored.id, number }));
  if (!operation) return { ignored: 'Fettle did not open this pull request' };
  if (!openStates.includes(operation.state)) return { ignored: `the operation is ${operation.state}` };
  const { review, comments } = await readReview(place);
  if (review.state === 'approved' || review.state === 'dismissed')
    return { ignored: `the review is ${review.state}` };
  const refusal = await refuseAuthor(context, { client, repository, written: review });
  if (refusal !== undefined) return { ignored: refusal };
  const mention = await context.github.readMention();
  const requests = comments.filter(({ body }) => isFeedback(body, mention));
  if (requests.length === 0 && !isFeedback(review.body, mention)) return { ignored: 'it requests nothing' };
  // A single comment has a review of its own, which has no text.
  const isSingle = review.state === 'commented' && review.body.trim() === '' && comments.length <= 1;
  await database.feedback.add({
    key: `review:${review.id}`,
    operationId: operation.id,
    kind: 'review',
    author: review.user.login,
    text: isFeedback(review.body, mention) ? review.body : '',
    items: requests.map(toItem),
    dueAt: new Date(Date.now() + (isSingle ? context.rules.collectSeconds * 1000 : 0)),
  });
  return { did: `collected review ${review.id} for ${operation.id}` };
}

/** Commands have effects of their own. */
function isFeedback(body: string, mention: string): boolean {
  const command = readCommand(body, mention);
  return body.trim() !== '' && (command === undefined || command.kind === 'mention');
}

const toItem = ({ id, in_reply_to_id, path, line, original_line, body }: ReviewComment) => ({
  ...{ path, line: line ?? original_line ?? null, text: body },
  commentId: in_reply_to_id ?? id,
});

async function readReview({
  client,
  repository,
  number,
  reviewId,
}: ReviewPlace): Promise<{ review: Review; comments: ReviewComment[] }> {
  const at = { ...placeOf(repository), pull_number: number, review_id: reviewId };
  const path = '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}' as const;
  const review = reviewSchema.parse((await client.request(`GET ${path}`, at)).data);
  const comments = (await client.request(`GET ${path}/comments`, { ...at, per_page: 100 })).data;
  return { review, comments: z.array(reviewCommentSchema).parse(comments) };
}
