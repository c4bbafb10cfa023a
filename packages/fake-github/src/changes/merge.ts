import { readCommit } from '../git/commits.ts';
import { type MergeMethod, mergeCommits } from '../git/merge.ts';
import { resolveCommit, updateRef } from '../git/refs.ts';
import { ApiError } from '../http/api-error.ts';
import type { PullIssue } from '../state/find.ts';
import type { Actor } from '../state/model.ts';
import { moveBranches } from './branches.ts';
import type { Place } from './place.ts';
import { closePull } from './pulls.ts';

export interface MergeRequest {
  method?: MergeMethod | undefined;
  /** The head that the caller has seen. */
  sha?: string | undefined;
  title?: string | undefined;
  message?: string | undefined;
}

export function mergePull(place: Place, issue: PullIssue, request: MergeRequest): Promise<string> {
  return moveBranches(place, () => mergeNow(place, issue, request));
}

async function mergeNow(place: Place, issue: PullIssue, request: MergeRequest): Promise<string> {
  const { repository, world, actor } = place;
  const { pull } = issue;
  refuseMerge(place, issue, request);
  const base = await resolveCommit(repository.folder, `refs/heads/${pull.base.branch}`);
  if (base === undefined) throw notMergeable();
  const { method = 'merge' } = request;
  const merged = await mergeCommits(repository.folder, {
    base,
    head: pull.head.sha,
    method,
    message: await composeMessage(place, issue, request, method),
    author: identityOf(actor),
  });
  if (merged === undefined) throw notMergeable();
  await updateRef(repository.folder, `refs/heads/${pull.base.branch}`, merged, base);
  pull.merged = { at: world.now(), by: actor.account, sha: merged };
  closePull(place, issue);
  return merged;
}

function refuseMerge({ repository }: Place, issue: PullIssue, { sha }: MergeRequest): void {
  const { pull } = issue;
  if (issue.state === 'closed' || !pull.facts.isMergeable) throw notMergeable();
  if (pull.isDraft) throw new ApiError(405, 'Pull Request is still a draft');
  if (sha !== undefined && sha !== pull.head.sha)
    throw new ApiError(409, 'Head branch was modified. Review and try the merge again.');
  const required = repository.protectedBranches.get(pull.base.branch)?.requiredChecks ?? [];
  const runs = repository.suites
    .filter(({ headSha }) => headSha === pull.head.sha)
    .flatMap((suite) => suite.runs.filter(({ isReplaced }) => !isReplaced));
  for (const name of required)
    if (!runs.some((run) => run.name === name && run.conclusion === 'success'))
      throw new ApiError(405, `Required status check "${name}" is expected.`);
}

function notMergeable(): ApiError {
  return new ApiError(405, 'Pull Request is not mergeable');
}

async function composeMessage(
  { repository }: Place,
  issue: PullIssue,
  { title, message }: MergeRequest,
  method: MergeMethod,
): Promise<string> {
  const { pull, number } = issue;
  const from = `${pull.head.repository.owner.login}/${pull.head.branch}`;
  const head = await readCommit(repository.folder, pull.head.sha);
  const defaultTitle =
    method === 'squash' ? `${issue.title} (#${number})` : `Merge pull request #${number} from ${from}`;
  const defaultMessage = method === 'squash' ? head.message : issue.title;
  return `${title ?? defaultTitle}\n\n${message ?? defaultMessage}\n`;
}

/** Merges the base into the head, like the button "Update branch". */
export async function updateHeadFromBase(place: Place, issue: PullIssue, expected?: string): Promise<void> {
  const { pull } = issue;
  if (expected !== undefined && expected !== pull.head.sha)
    throw new ApiError(422, 'expected_head_sha does not match the head of the pull request');
  const { repository } = pull.head;
  const head = pull.head.sha;
  const base = await resolveCommit(place.repository.folder, `refs/heads/${pull.base.branch}`);
  if (base === undefined) throw notMergeable();
  const merged = await mergeCommits(place.repository.folder, {
    ...{ base: head, head: base, method: 'merge' },
    message: `Merge branch '${pull.base.branch}' into ${pull.head.branch}\n`,
    author: identityOf(place.actor),
  });
  if (merged === undefined) throw new ApiError(422, 'merge conflict between base and head');
  if (repository !== place.repository) throw new ApiError(422, 'The fake cannot update the branch of a fork');
  const move = { ...place, repository };
  await moveBranches(move, () =>
    updateRef(repository.folder, `refs/heads/${pull.head.branch}`, merged, head),
  );
}

export function identityOf({ account }: Actor): { name: string; email: string } {
  return {
    name: account.name ?? account.login,
    email: `${account.id}+${account.login}@users.noreply.github.com`,
  };
}
