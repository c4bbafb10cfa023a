import type { PullIssue } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape, associationOf } from './account.ts';
import { issuePage, labelShape } from './issue.ts';
import { repositoryShape, repositoryUrl } from './repository.ts';

/** The shape of lists and of most events. */
export function pullShape(world: World, repository: Repository, issue: PullIssue) {
  const { pull, number } = issue;
  const base = repositoryUrl(world, repository);
  const urls = pullUrls(base, issuePage(world, repository, issue), issue);
  const [assignee] = issue.assignees;
  return {
    ...urls,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    number,
    state: issue.state,
    locked: issue.isLocked,
    title: issue.title,
    user: accountShape(world, issue.author.account),
    body: issue.body ?? null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt ?? null,
    merged_at: pull.merged?.at ?? null,
    merge_commit_sha: pull.merged?.sha ?? null,
    assignee: assignee ? accountShape(world, assignee) : null,
    assignees: issue.assignees.map((each) => accountShape(world, each)),
    requested_reviewers: pull.requestedReviewers.map((each) => accountShape(world, each)),
    requested_teams: [],
    labels: issue.labels.map((label) => ({
      ...labelShape(world, repository, label),
      description: label.description ?? '',
    })),
    milestone: null,
    draft: pull.isDraft,
    head: endShape(world, pull.head.repository, pull.head.branch, pull.head.sha),
    base: endShape(world, repository, pull.base.branch, pull.base.sha),
    _links: linksShape(urls),
    author_association: associationOf(repository, issue.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** The shape of a single pull request. */
export function fullPullShape(world: World, repository: Repository, issue: PullIssue) {
  const { pull } = issue;
  const isOpen = issue.state === 'open';
  return {
    ...pullShape(world, repository, issue),
    merged: pull.merged !== undefined,
    mergeable: isOpen ? pull.facts.isMergeable : null,
    rebaseable: isOpen ? pull.facts.isMergeable : null,
    mergeable_state: isOpen ? mergeableState(issue) : 'unknown',
    merged_by: pull.merged ? accountShape(world, pull.merged.by) : null,
    comments: issue.comments.length,
    review_comments: pull.comments.length,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pull.facts.commits,
    additions: pull.facts.additions,
    deletions: pull.facts.deletions,
    changed_files: pull.facts.changedFiles,
  };
}

function mergeableState({ pull }: PullIssue): string {
  if (!pull.facts.isMergeable) return 'dirty';
  return pull.isDraft ? 'draft' : 'clean';
}

function endShape(world: World, repository: Repository, branch: string, sha: string) {
  return {
    label: `${repository.owner.login}:${branch}`,
    ref: branch,
    sha,
    user: accountShape(world, repository.owner),
    repo: repositoryShape(world, repository),
  };
}

function pullUrls(base: string, page: string, { number, pull }: PullIssue) {
  const url = `${base}/pulls/${number}`;
  return {
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: `${base}/issues/${number}`,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${base}/pulls/comments{/number}`,
    comments_url: `${base}/issues/${number}/comments`,
    statuses_url: `${base}/statuses/${pull.head.sha}`,
  };
}

function linksShape(urls: ReturnType<typeof pullUrls>) {
  return {
    self: { href: urls.url },
    html: { href: urls.html_url },
    issue: { href: urls.issue_url },
    comments: { href: urls.comments_url },
    review_comments: { href: urls.review_comments_url },
    review_comment: { href: urls.review_comment_url },
    commits: { href: urls.commits_url },
    statuses: { href: urls.statuses_url },
  };
}

/** How check runs and check suites name their pull requests. */
export function minimalPullShape(world: World, repository: Repository, { pull, number }: PullIssue) {
  const end = (place: Repository, ref: string, sha: string) => ({
    ref,
    sha,
    repo: { id: place.id, url: repositoryUrl(world, place), name: place.name },
  });
  return {
    id: pull.id,
    number,
    url: `${repositoryUrl(world, repository)}/pulls/${number}`,
    head: end(pull.head.repository, pull.head.branch, pull.head.sha),
    base: end(repository, pull.base.branch, pull.base.sha),
  };
}
