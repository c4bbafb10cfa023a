import { invalid } from '../http/api-error.ts';
import { commentShape, issueEventShape } from '../shapes/issue.ts';
import type { Actor, Comment, Issue, Reaction } from '../state/model.ts';
import { emitHere, type Place } from './place.ts';

const maxBodyLength = 65_536;

export function addComment(place: Place, issue: Issue, body: string): Comment {
  checkBody(body, 'IssueComment');
  const now = place.world.now();
  const comment: Comment = {
    id: place.world.nextId(),
    body,
    author: place.actor,
    reactions: [],
    createdAt: now,
    updatedAt: now,
  };
  issue.comments.push(comment);
  issue.updatedAt = now;
  emitComment(place, issue, comment, 'created');
  return comment;
}

export function editComment(place: Place, issue: Issue, comment: Comment, body: string): void {
  checkBody(body, 'IssueComment');
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = place.world.now();
  emitComment(place, issue, comment, 'edited', { changes: { body: { from } } });
}

export function deleteComment(place: Place, issue: Issue, comment: Comment): void {
  issue.comments = issue.comments.filter((each) => each !== comment);
  emitComment(place, issue, comment, 'deleted');
}

function emitComment(
  place: Place,
  issue: Issue,
  comment: Comment,
  action: string,
  extra: Record<string, unknown> = {},
): void {
  const { world, repository } = place;
  emitHere(place, {
    name: 'issue_comment',
    action,
    payload: {
      issue: issueEventShape(world, repository, issue),
      comment: commentShape(world, repository, issue, comment),
      ...extra,
    },
  });
}

export function checkBody(body: string, resource: string): void {
  if (body.trim() === '') throw invalid({ resource, field: 'body', code: 'missing_field' });
  if (body.length > maxBodyLength) {
    const message = `body is too long (maximum is ${maxBodyLength} characters)`;
    throw invalid({ resource, field: 'body', code: 'custom', message });
  }
}

/** Reactions send no events. A person can react only once with each content. */
export function addReaction(
  { world, actor }: Place,
  target: { reactions: Reaction[] },
  content: string,
): { reaction: Reaction; isNew: boolean } {
  const known = target.reactions.find((each) => each.content === content && isSame(each.author, actor));
  if (known) return { reaction: known, isNew: false };
  const reaction = { id: world.nextId(), content, author: actor, createdAt: world.now() };
  target.reactions.push(reaction);
  return { reaction, isNew: true };
}

function isSame(a: Actor, b: Actor): boolean {
  return a.account.id === b.account.id;
}
