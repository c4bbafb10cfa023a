import { countCommits, listChangedFiles, mergeBase } from '../git/compare.ts';
import { mergeTree } from '../git/merge.ts';
import { copyCommit, resolveCommit, updateRef } from '../git/refs.ts';
import { ApiError, type FieldError, invalid } from '../http/api-error.ts';
import { accountShape } from '../shapes/account.ts';
import { findRepository, listPulls, type PullIssue } from '../state/find.ts';
import type { Account, Pull, PullFacts, Repository } from '../state/model.ts';
import { requestCheckSuites } from './checks.ts';
import { inTurn } from './in-turn.ts';
import { createIssue, issueEvent, setIssueState } from './issues.ts';
import { emitHere, type Place } from './place.ts';

export interface PullContent {
  title: string;
  body?: string | undefined;
  /** `branch`, or `owner:branch` for a fork. */
  head: string;
  base: string;
  isDraft?: boolean | undefined;
  maintainerCanModify?: boolean | undefined;
}

/** Two requests at the same time open one pull request, and no push comes in between. */
export function openPull(place: Place, content: PullContent): Promise<PullIssue> {
  return inTurn(place.repository, () => openNow(place, content));
}

async function openNow(place: Place, content: PullContent): Promise<PullIssue> {
  const { repository, world } = place;
  const head = findHead(place, content.head);
  const headSha = head && (await resolveCommit(head.repository.folder, `refs/heads/${head.branch}`));
  if (!head || headSha === undefined) throw invalidPull('head', 'invalid');
  const baseSha = await resolveCommit(repository.folder, `refs/heads/${content.base}`);
  if (baseSha === undefined) throw invalidPull('base', 'invalid');
  await bringHead(repository, head.repository, headSha);
  const facts = await readPullFacts(repository, baseSha, headSha);
  if (facts.commits === 0 && !facts.isMergeable)
    throw customError('The head and the base have entirely different commit histories.');
  if (facts.commits === 0) throw customError(`No commits between ${content.base} and ${head.branch}`);
  refuseDuplicate(repository, head, content.base);
  const issue = createIssue(place, content);
  const pull: Pull = {
    id: world.nextId(),
    head: { ...head, sha: headSha },
    base: { branch: content.base, sha: baseSha },
    isDraft: content.isDraft ?? false,
    merged: undefined,
    maintainerCanModify: content.maintainerCanModify ?? false,
    requestedReviewers: [],
    reviews: [],
    comments: [],
    resolvedThreads: new Map(),
    facts,
  };
  const opened: PullIssue = Object.assign(issue, { pull });
  await updateRef(repository.folder, `refs/pull/${issue.number}/head`, headSha);
  emitHere(place, issueEvent(place, opened, 'opened'));
  if (head.repository !== repository)
    await requestCheckSuites(place, { sha: headSha, branch: head.branch, before: undefined });
  return opened;
}

function findHead({ world, repository }: Place, head: string) {
  const [owner, branch] = head.includes(':') ? (head.split(':', 2) as [string, string]) : [undefined, head];
  if (owner === undefined || owner.toLowerCase() === repository.owner.login.toLowerCase())
    return { repository, branch };
  const forks = world.repositories.filter(({ parentId }) => parentId === repository.id);
  const fork = forks.find((each) => each.owner.login.toLowerCase() === owner.toLowerCase());
  const named = findRepository(world, `${owner}/${repository.name}`);
  const found = fork ?? (named?.parentId === repository.id ? named : undefined);
  return found && { repository: found, branch };
}

function refuseDuplicate(
  repository: Repository,
  head: { repository: Repository; branch: string },
  base: string,
) {
  const isSame = ({ state, pull }: PullIssue) =>
    state === 'open' &&
    pull.head.repository === head.repository &&
    pull.head.branch === head.branch &&
    pull.base.branch === base;
  if (listPulls(repository).some(isSame))
    throw customError(`A pull request already exists for ${head.repository.owner.login}:${head.branch}.`);
}

function invalidPull(field: string, code: string): ApiError {
  return invalid({ resource: 'PullRequest', field, code });
}

function customError(message: string): ApiError {
  const error: FieldError = { resource: 'PullRequest', code: 'custom', message };
  return invalid(error);
}

/** Makes the commits of a fork available in the base repository. */
export async function bringHead(repository: Repository, from: Repository, sha: string): Promise<void> {
  if (from !== repository) await copyCommit(from.folder, repository.folder, sha);
}

export async function readPullFacts(
  repository: Repository,
  baseSha: string,
  headSha: string,
): Promise<PullFacts> {
  const { folder } = repository;
  const fork = await mergeBase(folder, baseSha, headSha);
  // A force push can leave a head that shares no history with its base.
  if (fork === undefined)
    return { commits: 0, additions: 0, deletions: 0, changedFiles: 0, isMergeable: false };
  const files = await listChangedFiles(folder, fork, headSha);
  const { ahead } = await countCommits(folder, baseSha, headSha);
  return {
    commits: ahead,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
    isMergeable: (await mergeTree(folder, baseSha, headSha)) !== undefined,
  };
}

export function setDraft(place: Place, issue: PullIssue, isDraft: boolean): void {
  if (issue.pull.isDraft === isDraft) return;
  issue.pull.isDraft = isDraft;
  issue.updatedAt = place.world.now();
  emitHere(place, issueEvent(place, issue, isDraft ? 'converted_to_draft' : 'ready_for_review'));
}

export function closePull(place: Place, issue: PullIssue): void {
  setIssueState(place, issue, 'closed');
}

export async function reopenPull(place: Place, issue: PullIssue): Promise<void> {
  if (issue.state === 'open') return;
  const { pull } = issue;
  const sha = await resolveCommit(pull.head.repository.folder, `refs/heads/${pull.head.branch}`);
  if (pull.merged || sha === undefined) {
    const message = pull.merged
      ? 'Cannot reopen a merged pull request.'
      : `state cannot be changed. The ${pull.head.branch} branch has been deleted.`;
    throw invalid({ resource: 'PullRequest', field: 'state', code: 'invalid', message });
  }
  refuseDuplicate(place.repository, pull.head, pull.base.branch);
  pull.head.sha = sha;
  setIssueState(place, issue, 'open');
}

export async function changeBase(place: Place, issue: PullIssue, branch: string): Promise<void> {
  const { pull } = issue;
  if (branch === pull.base.branch) return;
  const sha = await resolveCommit(place.repository.folder, `refs/heads/${branch}`);
  if (sha === undefined) throw invalidPull('base', 'invalid');
  const from = { ref: { from: pull.base.branch }, sha: { from: pull.base.sha } };
  pull.facts = await readPullFacts(place.repository, sha, pull.head.sha);
  pull.base = { branch, sha };
  emitHere(place, issueEvent(place, issue, 'edited', { changes: { base: from } }));
}

export function requestReviewers(place: Place, issue: PullIssue, reviewers: readonly Account[]): void {
  for (const reviewer of reviewers) {
    if (!place.repository.roles.has(reviewer.login) || reviewer === issue.author.account) {
      const message =
        reviewer === issue.author.account
          ? 'Review cannot be requested from pull request author.'
          : 'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.';
      throw new ApiError(422, message);
    }
  }
  for (const reviewer of reviewers) {
    if (issue.pull.requestedReviewers.includes(reviewer)) continue;
    issue.pull.requestedReviewers.push(reviewer);
    const requested_reviewer = accountShape(place.world, reviewer);
    emitHere(place, issueEvent(place, issue, 'review_requested', { requested_reviewer }));
  }
}
