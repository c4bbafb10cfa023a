import { z } from 'zod';
import { addComment, addReaction, deleteComment, editComment } from '../changes/comments.ts';
import type { Place } from '../changes/place.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { created, type Endpoint, noContent, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { commentShape, reactionContents, reactionShape } from '../shapes/issue.ts';
import { listPulls, requireIssue } from '../state/find.ts';
import type { Comment, Issue, Reaction, Repository } from '../state/model.ts';
import { issueNeeds } from './issues.ts';

const bodySchema = z.object({ body: z.string() });
const reactionSchema = z.object({ content: z.enum(reactionContents) });

export const commentEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/issues/{issue_number}/comments',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, params, ...call }) => {
      const issue = requireIssue(repository, Number(params.issue_number));
      const comments = since(issue.comments, call.query.since);
      return paginate(call, comments, (comment) => commentShape(world, repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/issues/comments',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, ...call }) => {
      const all = [...repository.issues.values()].flatMap((issue) =>
        since(issue.comments, call.query.since).map((comment) => ({ issue, comment })),
      );
      return paginate(call, all, ({ issue, comment }) => commentShape(world, repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/issues/{issue_number}/comments',
    needs: issueNeeds.write,
    role: 'read',
    body: bodySchema,
    run: ({ place, params, body: { body } }) => {
      const { world, repository } = place;
      const issue = requireIssue(repository, Number(params.issue_number));
      if (issue.isLocked) throw new ApiError(403, 'Unable to create comment because issue is locked.');
      return created(commentShape(world, repository, issue, addComment(place, issue, body)));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/issues/comments/{comment_id}',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, params }) => {
      const { issue, comment } = requireComment(repository, params.comment_id);
      return ok(commentShape(world, repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/issues/comments/{comment_id}',
    needs: issueNeeds.write,
    role: 'read',
    body: bodySchema,
    run: ({ place, params, body: { body } }) => {
      const { issue, comment } = requireComment(place.repository, params.comment_id);
      requireOwn(place, comment);
      editComment(place, issue, comment, body);
      return ok(commentShape(place.world, place.repository, issue, comment));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/issues/comments/{comment_id}',
    needs: issueNeeds.write,
    role: 'read',
    run: ({ place, params }) => {
      const { issue, comment } = requireComment(place.repository, params.comment_id);
      requireOwn(place, comment);
      deleteComment(place, issue, comment);
      return noContent;
    },
  }),
  ...reactionRoutes('/issues/{issue_number}/reactions', issueNeeds, (repository, params) =>
    requireIssue(repository, Number(params.issue_number)),
  ),
  ...reactionRoutes(
    '/issues/comments/{comment_id}/reactions',
    issueNeeds,
    (repository, params) => requireComment(repository, params.comment_id).comment,
  ),
  ...reactionRoutes(
    '/pulls/comments/{comment_id}/reactions',
    { read: [{ pull_requests: 'read' }], write: [{ pull_requests: 'write' }] },
    (repository, params) => {
      const comments = listPulls(repository).flatMap(({ pull }) => pull.comments);
      const comment = comments.find(({ id }) => id === Number(params.comment_id));
      if (!comment) throw notFound();
      return comment;
    },
  ),
];

/** List, create and delete the reactions of something. */
function reactionRoutes(
  path: string,
  needs: typeof issueNeeds,
  find: (repository: Repository, params: Record<string, string>) => { reactions: Reaction[] },
): Endpoint[] {
  return [
    repositoryRoute({
      method: 'GET',
      path,
      needs: needs.read,
      run: ({ place: { world, repository }, params, ...call }) =>
        paginate(call, find(repository, params).reactions, (each) => reactionShape(world, each)),
    }),
    repositoryRoute({
      method: 'POST',
      path,
      needs: needs.write,
      role: 'read',
      body: reactionSchema,
      run: ({ place, params, body: { content } }) => {
        const { reaction, isNew } = addReaction(place, find(place.repository, params), content);
        return { status: isNew ? 201 : 200, body: reactionShape(place.world, reaction) };
      },
    }),
    repositoryRoute({
      method: 'DELETE',
      path: `${path}/{reaction_id}`,
      needs: needs.write,
      role: 'read',
      run: ({ place, params }) => {
        const target = find(place.repository, params);
        const isWanted = ({ id }: Reaction) => id === Number(params.reaction_id);
        if (!target.reactions.some(isWanted)) throw notFound();
        target.reactions = target.reactions.filter((each) => !isWanted(each));
        return noContent;
      },
    }),
  ];
}

function since(comments: Comment[], time: string | undefined): Comment[] {
  return time === undefined ? comments : comments.filter(({ updatedAt }) => updatedAt >= time);
}

function requireComment(repository: Repository, id: string | undefined): { issue: Issue; comment: Comment } {
  for (const issue of repository.issues.values()) {
    const comment = issue.comments.find((each) => each.id === Number(id));
    if (comment) return { issue, comment };
  }
  throw notFound();
}

/** An App may edit only its own comments. */
function requireOwn({ actor }: Place, { author }: { author: Comment['author'] }): void {
  if (actor.app && author.account !== actor.account)
    throw new ApiError(403, 'Resource not accessible by integration');
}
