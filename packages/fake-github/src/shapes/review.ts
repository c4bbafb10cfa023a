import type { PullIssue } from '../state/find.ts';
import type { Repository, Review, ReviewComment } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape, associationOf } from './account.ts';
import { issuePage, reactionsShape } from './issue.ts';
import { repositoryUrl } from './repository.ts';

export function reviewShape(world: World, repository: Repository, issue: PullIssue, review: Review) {
  const htmlUrl = `${issuePage(world, repository, issue)}#pullrequestreview-${review.id}`;
  const pullUrl = `${repositoryUrl(world, repository)}/pulls/${issue.number}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: accountShape(world, review.author.account),
    body: review.body,
    state: review.state,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    _links: { html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    ...(review.submittedAt !== undefined && { submitted_at: review.submittedAt }),
    commit_id: review.commitId,
    author_association: associationOf(repository, review.author),
  };
}

/** Webhooks write states in lower case. */
export function reviewEventShape(world: World, repository: Repository, issue: PullIssue, review: Review) {
  const shape = reviewShape(world, repository, issue, review);
  return { ...shape, body: review.body === '' ? null : review.body, state: review.state.toLowerCase() };
}

export function reviewCommentShape(
  world: World,
  repository: Repository,
  issue: PullIssue,
  comment: ReviewComment,
) {
  const base = repositoryUrl(world, repository);
  const url = `${base}/pulls/comments/${comment.id}`;
  const htmlUrl = `${issuePage(world, repository, issue)}#discussion_r${comment.id}`;
  const pullUrl = `${base}/pulls/${issue.number}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId('PRRC', comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.originalCommitId,
    ...(comment.inReplyTo !== undefined && { in_reply_to_id: comment.inReplyTo }),
    user: accountShape(world, comment.author.account),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    author_association: associationOf(repository, comment.author),
    _links: { self: { href: url }, html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    start_line: comment.startLine ?? null,
    original_start_line: comment.startLine ?? null,
    start_side: comment.startLine === undefined ? null : comment.side,
    ...lineShape(comment),
    side: comment.side,
    subject_type: 'line',
    reactions: reactionsShape(url, comment.reactions),
  };
}

/** GitHub sends null for the line of an outdated comment, although its schema does not allow it. */
function lineShape({ line, isOutdated }: ReviewComment) {
  return {
    line: isOutdated ? null : line,
    original_line: line,
    position: isOutdated ? null : 1,
    original_position: 1,
  };
}
