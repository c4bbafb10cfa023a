/** Finds things by the names that people and URLs use. */
import { notFound } from '../http/api-error.ts';
import type { Account, CheckRun, CheckSuite, Issue, Pull, Repository, ReviewComment } from './model.ts';
import { nodeId, type World } from './world.ts';

/** Names an issue or a pull request. */
export interface IssueAddress {
  /** `owner/name` */
  repository: string;
  number: number;
}

export type PullIssue = Issue & { pull: Pull };

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

export function findRepository(world: World, name: string): Repository | undefined {
  const wanted = name.toLowerCase();
  return world.repositories.find((each) => fullName(each).toLowerCase() === wanted);
}

export function requireRepository(world: World, name: string): Repository {
  const repository = findRepository(world, name);
  if (!repository) throw notFound();
  return repository;
}

/** The repository that had this name before it was renamed or transferred. */
export function findMovedRepository(world: World, name: string): Repository | undefined {
  const id = world.formerNames.get(name.toLowerCase());
  return world.repositories.find((each) => each.id === id);
}

export function requireAccount(world: World, login: string): Account {
  const account = world.accounts.get(login.toLowerCase());
  if (!account) throw notFound();
  return account;
}

export function requireIssue(repository: Repository, number: number): Issue {
  const issue = repository.issues.get(number);
  if (!issue) throw notFound();
  return issue;
}

export function requirePull(repository: Repository, number: number): PullIssue {
  const issue = repository.issues.get(number);
  if (!isPull(issue)) throw notFound();
  return issue;
}

export function isPull(issue: Issue | undefined): issue is PullIssue {
  return issue?.pull !== undefined;
}

export function listPulls(repository: Repository): PullIssue[] {
  return [...repository.issues.values()].filter(isPull);
}

export function requireCheckRun(repository: Repository, id: number): { suite: CheckSuite; run: CheckRun } {
  for (const suite of repository.suites) {
    const run = suite.runs.find((each) => each.id === id);
    if (run) return { suite, run };
  }
  throw notFound();
}

export function threadNodeId(firstCommentId: number): string {
  return nodeId('PRRT', firstCommentId);
}

export interface FoundPull {
  repository: Repository;
  issue: PullIssue;
}

/** Finds a pull request by the node id that GraphQL uses. */
export function findPullByNodeId(world: World, id: string): FoundPull | undefined {
  for (const repository of world.repositories)
    for (const issue of listPulls(repository))
      if (nodeId('PR', issue.pull.id) === id) return { repository, issue };
  return undefined;
}

/** A thread is named after its first comment. */
export function findThread(world: World, id: string): (FoundPull & { first: ReviewComment }) | undefined {
  for (const repository of world.repositories)
    for (const issue of listPulls(repository)) {
      const first = issue.pull.comments.find(
        (each) => each.inReplyTo === undefined && threadNodeId(each.id) === id,
      );
      if (first) return { repository, issue, first };
    }
  return undefined;
}

/** Without the comments of pending reviews, which only their author sees. */
export function listPublicComments({ pull }: PullIssue): ReviewComment[] {
  const pending = pull.reviews.filter(({ state }) => state === 'PENDING').map(({ id }) => id);
  return pull.comments.filter(({ reviewId }) => !pending.includes(reviewId));
}
