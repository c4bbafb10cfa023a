/** The fields of GraphQL objects. Functions are fields with arguments, or fields that lead to other objects. */
import { issuePage } from '../shapes/issue.ts';
import { repositoryPage } from '../shapes/repository.ts';
import { fullName, listPublicComments, type PullIssue, requirePull, threadNodeId } from '../state/find.ts';
import type { Account, Repository, ReviewComment } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { connect, type PageArguments } from './connection.ts';

export function accountFields({ id, login, type }: Account) {
  // GraphQL names bots without the suffix that REST adds.
  const name = login.replace('[bot]', '');
  return { __typename: type, id: nodeId(type === 'Bot' ? 'BOT' : 'U', id), login: name, databaseId: id };
}

export function repositoryFields(world: World, repository: Repository) {
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(repository),
    url: repositoryPage(world, repository),
    pullRequest: ({ number }: { number: number }) =>
      pullFields(world, repository, requirePull(repository, number)),
  };
}

export function pullFields(world: World, repository: Repository, issue: PullIssue) {
  const { pull } = issue;
  return {
    __typename: 'PullRequest',
    id: nodeId('PR', pull.id),
    number: issue.number,
    title: issue.title,
    url: issuePage(world, repository, issue),
    state: pull.merged ? 'MERGED' : issue.state.toUpperCase(),
    isDraft: pull.isDraft,
    closed: issue.state === 'closed',
    merged: pull.merged !== undefined,
    headRefName: pull.head.branch,
    headRefOid: pull.head.sha,
    baseRefName: pull.base.branch,
    baseRefOid: pull.base.sha,
    reviewThreads: (page: PageArguments) => {
      const firsts = listPublicComments(issue).filter(({ inReplyTo }) => inReplyTo === undefined);
      const threads = firsts.map((first) => threadFields(world, repository, issue, first));
      return connect('reviewThreads', threads, page);
    },
  };
}

export function threadFields(world: World, repository: Repository, issue: PullIssue, first: ReviewComment) {
  const id = threadNodeId(first.id);
  const resolvedBy = issue.pull.resolvedThreads.get(id);
  return {
    __typename: 'PullRequestReviewThread',
    id,
    isResolved: resolvedBy !== undefined,
    isOutdated: first.isOutdated,
    resolvedBy: resolvedBy ? { ...accountFields(resolvedBy), __typename: 'User' } : null,
    path: first.path,
    line: first.isOutdated ? null : first.line,
    originalLine: first.line,
    startLine: first.startLine ?? null,
    diffSide: first.side,
    pullRequest: () => pullFields(world, repository, issue),
    comments: (page: PageArguments) => {
      const comments = listPublicComments(issue).filter(
        (each) => each.id === first.id || each.inReplyTo === first.id,
      );
      const fields = comments.map((each) => commentFields(world, repository, issue, each));
      return connect('comments', fields, page);
    },
  };
}

export function commentFields(
  world: World,
  repository: Repository,
  issue: PullIssue,
  comment: ReviewComment,
) {
  return {
    __typename: 'PullRequestReviewComment',
    id: nodeId('PRRC', comment.id),
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    author: accountFields(comment.author.account),
    body: comment.body,
    path: comment.path,
    url: `${issuePage(world, repository, issue)}#discussion_r${comment.id}`,
    createdAt: comment.createdAt,
  };
}
