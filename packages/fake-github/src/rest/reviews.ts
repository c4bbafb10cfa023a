import { z } from 'zod';
import { checkBody } from '../changes/comments.ts';
import {
  addLineComment,
  addReview,
  dismissReview,
  emitReviewComment,
  replyToComment,
  submitReview,
} from '../changes/reviews.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { created, type Endpoint, noContent, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { reviewCommentShape, reviewShape } from '../shapes/review.ts';
import { listPublicComments, listPulls, requirePull } from '../state/find.ts';
import type { Actor, Repository, Review } from '../state/model.ts';

const read = { pull_requests: 'read' } as const;
const write = { pull_requests: 'write' } as const;
const sideSchema = z.enum(['LEFT', 'RIGHT']).optional();
const eventSchema = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const lineComment = z.object({
  path: z.string(),
  body: z.string(),
  line: z.number().int(),
  side: sideSchema,
  start_line: z.number().int().nullish(),
});

export const reviewEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/reviews',
    needs: read,
    run: ({ place: { world, repository, actor }, params, ...call }) => {
      const issue = requirePull(repository, Number(params.pull_number));
      const reviews = issue.pull.reviews.filter((each) => isVisible(each, actor));
      return paginate(call, reviews, (review) => reviewShape(world, repository, issue, review));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls/{pull_number}/reviews',
    needs: write,
    role: 'read',
    body: z.object({
      commit_id: z.string().optional(),
      body: z.string().optional(),
      event: eventSchema.optional(),
      comments: z.array(lineComment).default([]),
    }),
    run: async ({ place, params, body: { event, body, commit_id: commitId, comments } }) => {
      const { world, repository } = place;
      const issue = requirePull(repository, Number(params.pull_number));
      const lines = comments.map(({ start_line, ...each }) => ({
        ...each,
        startLine: start_line ?? undefined,
      }));
      const review = await addReview(place, issue, { event, body, commitId, comments: lines });
      return ok(reviewShape(world, repository, issue, review));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/reviews/{review_id}',
    needs: read,
    run: ({ place: { world, repository, actor }, params }) => {
      const { issue, review } = requireReview(repository, params, actor);
      return ok(reviewShape(world, repository, issue, review));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/reviews/{review_id}/comments',
    needs: read,
    run: ({ place: { world, repository, actor }, params, ...call }) => {
      const { issue, review } = requireReview(repository, params, actor);
      const comments = issue.pull.comments.filter(({ reviewId }) => reviewId === review.id);
      return paginate(call, comments, (comment) => {
        const {
          line,
          original_line,
          side,
          start_line,
          original_start_line,
          start_side,
          subject_type,
          ...legacy
        } = reviewCommentShape(world, repository, issue, comment);
        return {
          ...legacy,
          ...(comment.isOutdated ? {} : { line }),
          original_line,
          side,
          start_line,
          original_start_line,
          start_side,
        };
      });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls/{pull_number}/reviews/{review_id}/events',
    needs: write,
    role: 'read',
    body: z.object({ event: eventSchema, body: z.string().optional() }),
    run: ({ place, params, body: { event, body } }) => {
      const { issue, review } = requireReview(place.repository, params, place.actor);
      if (review.state !== 'PENDING') throw new ApiError(422, 'Review has already been submitted');
      review.body = body ?? review.body;
      submitReview(place, issue, review, event);
      return ok(reviewShape(place.world, place.repository, issue, review));
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/pulls/{pull_number}/reviews/{review_id}/dismissals',
    needs: write,
    body: z.object({ message: z.string() }),
    run: ({ place, params }) => {
      const { issue, review } = requireReview(place.repository, params, place.actor);
      dismissReview(place, issue, review);
      return ok(reviewShape(place.world, place.repository, issue, review));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/comments',
    needs: read,
    run: ({ place: { world, repository }, params, ...call }) => {
      const issue = requirePull(repository, Number(params.pull_number));
      return paginate(call, listPublicComments(issue), (each) =>
        reviewCommentShape(world, repository, issue, each),
      );
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls/{pull_number}/comments',
    needs: write,
    role: 'read',
    body: lineComment.extend({ commit_id: z.string() }),
    run: async ({ place, params, body: { commit_id: commitId, start_line, ...line } }) => {
      const issue = requirePull(place.repository, Number(params.pull_number));
      const comment = await addLineComment(place, issue, {
        ...line,
        commitId,
        startLine: start_line ?? undefined,
      });
      return created(reviewCommentShape(place.world, place.repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls/{pull_number}/comments/{comment_id}/replies',
    needs: write,
    role: 'read',
    body: z.object({ body: z.string() }),
    run: ({ place, params, body: { body } }) => {
      const issue = requirePull(place.repository, Number(params.pull_number));
      const first = issue.pull.comments.find(({ id }) => id === Number(params.comment_id));
      if (!first) throw notFound();
      const reply = replyToComment(place, issue, first, body);
      return created(reviewCommentShape(place.world, place.repository, issue, reply));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/comments/{comment_id}',
    needs: read,
    run: ({ place: { world, repository }, params }) => {
      const { issue, comment } = requireReviewComment(repository, params.comment_id);
      return ok(reviewCommentShape(world, repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/pulls/comments/{comment_id}',
    needs: write,
    role: 'read',
    body: z.object({ body: z.string() }),
    run: ({ place, params, body: { body } }) => {
      const { issue, comment } = requireReviewComment(place.repository, params.comment_id);
      checkBody(body, 'PullRequestReviewComment');
      const changes = { body: { from: comment.body } };
      comment.body = body;
      comment.updatedAt = place.world.now();
      emitReviewComment(place, issue, comment, 'edited', { changes });
      return ok(reviewCommentShape(place.world, place.repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/pulls/comments/{comment_id}',
    needs: write,
    role: 'read',
    run: ({ place, params }) => {
      const { issue, comment } = requireReviewComment(place.repository, params.comment_id);
      issue.pull.comments = issue.pull.comments.filter((each) => each !== comment);
      emitReviewComment(place, issue, comment, 'deleted');
      return noContent;
    },
  }),
];

/** Pending reviews are visible to their author only. */
function isVisible(review: Review, { account }: Actor): boolean {
  return review.state !== 'PENDING' || review.author.account === account;
}

function requireReview(repository: Repository, params: Record<string, string>, actor: Actor) {
  const issue = requirePull(repository, Number(params.pull_number));
  const review = issue.pull.reviews.find(({ id }) => id === Number(params.review_id));
  if (!review || !isVisible(review, actor)) throw notFound();
  return { issue, review };
}

function requireReviewComment(repository: Repository, id: string | undefined) {
  for (const issue of listPulls(repository)) {
    const comment = issue.pull.comments.find((each) => each.id === Number(id));
    if (comment) return { issue, comment };
  }
  throw notFound();
}
