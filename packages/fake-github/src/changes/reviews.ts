import { ApiError, invalid } from '../http/api-error.ts';
import { accountShape } from '../shapes/account.ts';
import { pullShape } from '../shapes/pull.ts';
import { reviewCommentShape, reviewEventShape } from '../shapes/review.ts';
import { type PullIssue, threadNodeId } from '../state/find.ts';
import type { Review, ReviewComment, ReviewState } from '../state/model.ts';
import { checkBody } from './comments.ts';
import { type LineComment, requireHunk } from './diff-hunks.ts';
import { emitHere, type Place } from './place.ts';

export type ReviewEvent = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';

const states: Record<ReviewEvent, ReviewState> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

/** Without an event the review stays pending: nobody else sees it. */
export async function addReview(
  place: Place,
  issue: PullIssue,
  content: {
    event?: ReviewEvent | undefined;
    body?: string | undefined;
    comments?: LineComment[] | undefined;
    commitId?: string | undefined;
  },
): Promise<Review> {
  const { event, body = '', comments = [], commitId = issue.pull.head.sha } = content;
  if (event && event !== 'COMMENT' && place.actor.account === issue.author.account) {
    const verb = event === 'APPROVE' ? 'approve' : 'request changes on';
    throw new ApiError(422, 'Unprocessable Entity', { errors: [`Can not ${verb} your own pull request`] });
  }
  if (event === 'REQUEST_CHANGES' && body === '' && comments.length === 0)
    throw invalid({ resource: 'PullRequestReview', field: 'body', code: 'missing_field' });
  const hunks = new Map<LineComment, string>();
  for (const comment of comments) hunks.set(comment, await requireHunk(place.repository, issue, comment));
  const review = createReview(place, issue, { body, commitId });
  const added = comments.map((comment) =>
    createReviewComment(place, issue, { ...comment, review, commitId, diffHunk: hunks.get(comment) ?? '' }),
  );
  if (event) submitReview(place, issue, review, event, added);
  return review;
}

export function submitReview(
  place: Place,
  issue: PullIssue,
  review: Review,
  event: ReviewEvent,
  comments = issue.pull.comments.filter(({ reviewId }) => reviewId === review.id),
): void {
  const { world, repository } = place;
  review.state = states[event];
  review.submittedAt = world.now();
  issue.pull.requestedReviewers = issue.pull.requestedReviewers.filter(
    (each) => each !== place.actor.account,
  );
  emitReview(place, issue, review, 'submitted');
  for (const comment of comments)
    emitReviewComment({ world, repository, actor: place.actor }, issue, comment);
}

export function dismissReview(place: Place, issue: PullIssue, review: Review): void {
  review.state = 'DISMISSED';
  emitReview(place, issue, review, 'dismissed');
}

function emitReview(place: Place, issue: PullIssue, review: Review, action: string): void {
  const { world, repository } = place;
  emitHere(place, {
    name: 'pull_request_review',
    action,
    payload: {
      review: reviewEventShape(world, repository, issue, review),
      pull_request: pullShape(world, repository, issue),
    },
  });
}

/** A single comment on a line. GitHub wraps it in a review of its own. */
export async function addLineComment(
  place: Place,
  issue: PullIssue,
  content: LineComment & { commitId?: string | undefined },
): Promise<ReviewComment> {
  checkBody(content.body, 'PullRequestReviewComment');
  const diffHunk = await requireHunk(place.repository, issue, content);
  const commitId = content.commitId ?? issue.pull.head.sha;
  const review = createReview(place, issue, { body: '', commitId });
  const comment = createReviewComment(place, issue, { ...content, review, commitId, diffHunk });
  submitReview(place, issue, review, 'COMMENT', [comment]);
  return comment;
}

/** Replies go to the first comment of a thread. */
export function replyToComment(
  place: Place,
  issue: PullIssue,
  first: ReviewComment,
  body: string,
): ReviewComment {
  checkBody(body, 'PullRequestReviewComment');
  if (first.inReplyTo !== undefined)
    throw invalid({ resource: 'PullRequestReviewComment', field: 'in_reply_to', code: 'invalid' });
  const review = createReview(place, issue, { body: '', commitId: issue.pull.head.sha });
  const { path, line, startLine, side, originalCommitId, diffHunk } = first;
  const reply = createReviewComment(place, issue, {
    ...{ path, line, startLine, side, body, review, diffHunk },
    commitId: originalCommitId,
    inReplyTo: first.id,
  });
  submitReview(place, issue, review, 'COMMENT', [reply]);
  return reply;
}

function createReview(
  { world, actor }: Place,
  issue: PullIssue,
  content: { body: string; commitId: string },
): Review {
  const review: Review = {
    id: world.nextId(),
    author: actor,
    ...content,
    state: 'PENDING',
    submittedAt: undefined,
  };
  issue.pull.reviews.push(review);
  return review;
}

function createReviewComment(
  { world, actor }: Place,
  issue: PullIssue,
  content: LineComment & { review: Review; commitId: string; diffHunk: string; inReplyTo?: number },
): ReviewComment {
  const now = world.now();
  const comment: ReviewComment = {
    id: world.nextId(),
    reviewId: content.review.id,
    inReplyTo: content.inReplyTo,
    author: actor,
    body: content.body,
    path: content.path,
    line: content.line,
    startLine: content.startLine,
    side: content.side ?? 'RIGHT',
    commitId: content.commitId,
    originalCommitId: content.commitId,
    diffHunk: content.diffHunk,
    isOutdated: false,
    reactions: [],
    createdAt: now,
    updatedAt: now,
  };
  issue.pull.comments.push(comment);
  return comment;
}

export function emitReviewComment(
  place: Place,
  issue: PullIssue,
  comment: ReviewComment,
  action = 'created',
  extra: Record<string, unknown> = {},
): void {
  const { world, repository } = place;
  emitHere(place, {
    name: 'pull_request_review_comment',
    action,
    payload: {
      comment: reviewCommentShape(world, repository, issue, comment),
      pull_request: pullShape(world, repository, issue),
      ...extra,
    },
  });
}

export function setThreadResolved(
  place: Place,
  issue: PullIssue,
  first: ReviewComment,
  isResolved: boolean,
): void {
  const { world, repository, actor } = place;
  const id = threadNodeId(first.id);
  if (issue.pull.resolvedThreads.has(id) === isResolved) return;
  if (isResolved) issue.pull.resolvedThreads.set(id, actor.account);
  else issue.pull.resolvedThreads.delete(id);
  const comments = issue.pull.comments
    .filter((each) => each.id === first.id || each.inReplyTo === first.id)
    .map((each) => reviewCommentShape(world, repository, issue, each));
  emitHere(place, {
    name: 'pull_request_review_thread',
    action: isResolved ? 'resolved' : 'unresolved',
    payload: {
      thread: { node_id: id, comments },
      pull_request: pullShape(world, repository, issue),
      updated_at: world.now(),
      sender: accountShape(world, actor.account),
    },
  });
}
