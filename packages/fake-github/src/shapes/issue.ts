import type { Actor, Comment, Issue, Label, Reaction, Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape, associationOf } from './account.ts';
import { appShape } from './app.ts';
import { repositoryPage, repositoryUrl } from './repository.ts';

export function issuePage(world: World, repository: Repository, { number, pull }: Issue): string {
  return `${repositoryPage(world, repository)}/${pull ? 'pull' : 'issues'}/${number}`;
}

export function issueShape(world: World, repository: Repository, issue: Issue) {
  const base = repositoryUrl(world, repository);
  const url = `${base}/issues/${issue.number}`;
  const page = issuePage(world, repository, issue);
  const [assignee] = issue.assignees;
  return {
    url,
    repository_url: base,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    id: issue.id,
    node_id: nodeId(issue.pull ? 'PR' : 'I', issue.pull?.id ?? issue.id),
    number: issue.number,
    title: issue.title,
    user: accountShape(world, issue.author.account),
    labels: issue.labels.map((label) => labelShape(world, repository, label)),
    state: issue.state,
    state_reason: issue.stateReason ?? null,
    locked: issue.isLocked,
    assignee: assignee ? accountShape(world, assignee) : null,
    assignees: issue.assignees.map((each) => accountShape(world, each)),
    milestone: null,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt ?? null,
    closed_by: issue.closedBy ? accountShape(world, issue.closedBy) : null,
    author_association: associationOf(repository, issue.author),
    active_lock_reason: null,
    body: issue.body ?? null,
    reactions: reactionsShape(url, issue.reactions),
    performed_via_github_app: viaAppShape(world, issue.author),
    ...(issue.pull && {
      draft: issue.pull.isDraft,
      pull_request: {
        url: `${base}/pulls/${issue.number}`,
        html_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        merged_at: issue.pull.merged?.at ?? null,
      },
    }),
  };
}

/** Webhooks have no `closed_by`. */
export function issueEventShape(world: World, repository: Repository, issue: Issue) {
  const { closed_by: _, ...shape } = issueShape(world, repository, issue);
  return shape;
}

export function labelShape(world: World, repository: Repository, label: Label) {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${repositoryUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description ?? null,
  };
}

export function commentShape(world: World, repository: Repository, issue: Issue, comment: Comment) {
  const base = repositoryUrl(world, repository);
  const url = `${base}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${issuePage(world, repository, issue)}#issuecomment-${comment.id}`,
    issue_url: `${base}/issues/${issue.number}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: accountShape(world, comment.author.account),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.author),
    body: comment.body,
    reactions: reactionsShape(url, comment.reactions),
    performed_via_github_app: viaAppShape(world, comment.author),
  };
}

function viaAppShape(world: World, { app }: Actor) {
  return app ? appShape(world, app) : null;
}

export const reactionContents = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
] as const;

export function reactionsShape(url: string, reactions: readonly Reaction[]) {
  const count = (content: string) => reactions.filter((each) => each.content === content).length;
  return {
    url: `${url}/reactions`,
    total_count: reactions.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    hooray: count('hooray'),
    confused: count('confused'),
    heart: count('heart'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  };
}

export function reactionShape(world: World, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: accountShape(world, reaction.author.account),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}
