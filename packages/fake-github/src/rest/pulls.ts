import { z } from 'zod';
import { editIssue } from '../changes/issues.ts';
import { mergePull, updateHeadFromBase } from '../changes/merge.ts';
import { changeBase, closePull, openPull, reopenPull, requestReviewers } from '../changes/pulls.ts';
import { listCommits } from '../git/commits.ts';
import { listChangedFiles, mergeBase } from '../git/compare.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { created, type Endpoint, noContent, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { accountShape } from '../shapes/account.ts';
import { commitShape, fileShape } from '../shapes/commit.ts';
import { fullPullShape, pullShape } from '../shapes/pull.ts';
import { listPulls, type PullIssue, requirePull } from '../state/find.ts';
import { accountsOf } from './issues.ts';

const read = { pull_requests: 'read' } as const;
const write = { pull_requests: 'write' } as const;
const mergeNeeds = { contents: 'write' } as const;
const reviewersBody = z.object({
  reviewers: z.array(z.string()).default([]),
  team_reviewers: z.array(z.string()).default([]),
});

export const pullEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/pulls',
    needs: read,
    run: ({ place: { world, repository }, ...call }) => {
      const { state = 'open', head, base, direction = 'desc' } = call.query;
      // Like GitHub, ignores a head without its owner, and then returns everything.
      const isHead = ({ pull }: PullIssue) =>
        !head?.includes(':') || `${pull.head.repository.owner.login}:${pull.head.branch}` === head;
      const pulls = listPulls(repository)
        .filter((each) => state === 'all' || each.state === state)
        .filter((each) => isHead(each) && (base === undefined || each.pull.base.branch === base));
      if (direction === 'desc') pulls.reverse();
      return paginate(call, pulls, (each) => pullShape(world, repository, each));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls',
    needs: write,
    role: 'read',
    body: z.object({
      title: z.string(),
      head: z.string(),
      base: z.string(),
      body: z.string().nullish(),
      draft: z.boolean().optional(),
      maintainer_can_modify: z.boolean().optional(),
    }),
    run: async ({ place, body }) => {
      const issue = await openPull(place, {
        ...{ title: body.title, head: body.head, base: body.base, body: body.body ?? undefined },
        isDraft: body.draft,
        maintainerCanModify: body.maintainer_can_modify,
      });
      return created(fullPullShape(place.world, place.repository, issue));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}',
    needs: read,
    run: ({ place: { world, repository }, params }) =>
      ok(fullPullShape(world, repository, requirePull(repository, Number(params.pull_number)))),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/pulls/{pull_number}',
    needs: write,
    body: z.object({
      title: z.string().optional(),
      body: z.string().nullish(),
      state: z.enum(['open', 'closed']).optional(),
      base: z.string().optional(),
    }),
    run: async ({ place, params, body }) => {
      const issue = requirePull(place.repository, Number(params.pull_number));
      editIssue(place, issue, { title: body.title, body: body.body ?? undefined });
      if (body.base !== undefined) await changeBase(place, issue, body.base);
      if (body.state === 'closed') closePull(place, issue);
      if (body.state === 'open') await reopenPull(place, issue);
      return ok(fullPullShape(place.world, place.repository, issue));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/commits',
    needs: read,
    run: async ({ place: { world, repository }, params, ...call }) => {
      const { pull } = requirePull(repository, Number(params.pull_number));
      const commits = await listCommits(repository.folder, `${pull.base.sha}..${pull.head.sha}`);
      return paginate(call, commits.reverse(), (commit) => commitShape(world, repository, commit));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/files',
    needs: read,
    run: async ({ place: { world, repository }, params, ...call }) => {
      const { pull } = requirePull(repository, Number(params.pull_number));
      const fork = await mergeBase(repository.folder, pull.base.sha, pull.head.sha);
      const files = await listChangedFiles(repository.folder, fork, pull.head.sha);
      return paginate(call, files, (file) => fileShape(world, repository, pull.head.sha, file));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/merge',
    needs: read,
    run: ({ place: { repository }, params }) => {
      if (!requirePull(repository, Number(params.pull_number)).pull.merged) throw notFound();
      return noContent;
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/pulls/{pull_number}/merge',
    needs: mergeNeeds,
    body: z.object({
      sha: z.string().optional(),
      merge_method: z.enum(['merge', 'squash', 'rebase']).optional(),
      commit_title: z.string().optional(),
      commit_message: z.string().optional(),
    }),
    run: async ({ place, params, body }) => {
      const issue = requirePull(place.repository, Number(params.pull_number));
      const { merge_method: method, commit_title: title, commit_message: message } = body;
      const sha = await mergePull(place, issue, { sha: body.sha, method, title, message });
      return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/pulls/{pull_number}/update-branch',
    needs: mergeNeeds,
    body: z.object({ expected_head_sha: z.string().optional() }),
    run: async ({ place, params, body }) => {
      const issue = requirePull(place.repository, Number(params.pull_number));
      await updateHeadFromBase(place, issue, body.expected_head_sha);
      const url = fullPullShape(place.world, place.repository, issue).html_url;
      return { status: 202, body: { message: 'Updating pull request branch.', url } };
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/pulls/{pull_number}/requested_reviewers',
    needs: read,
    run: ({ place: { world, repository }, params }) => {
      const { pull } = requirePull(repository, Number(params.pull_number));
      return ok({ users: pull.requestedReviewers.map((each) => accountShape(world, each)), teams: [] });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/pulls/{pull_number}/requested_reviewers',
    needs: write,
    body: reviewersBody,
    run: ({ place, params, body: { reviewers, team_reviewers } }) => {
      const { world, repository } = place;
      const issue = requirePull(repository, Number(params.pull_number));
      const accounts = accountsOf(world, reviewers);
      if (team_reviewers.length > 0 || accounts.length < reviewers.length)
        throw new ApiError(
          422,
          'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.',
        );
      requestReviewers(place, issue, accounts);
      return created(pullShape(world, repository, issue));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/pulls/{pull_number}/requested_reviewers',
    needs: write,
    body: reviewersBody,
    run: ({ place: { world, repository }, params, body: { reviewers } }) => {
      const issue = requirePull(repository, Number(params.pull_number));
      const { pull } = issue;
      pull.requestedReviewers = pull.requestedReviewers.filter(({ login }) => !reviewers.includes(login));
      return ok(pullShape(world, repository, issue));
    },
  }),
];
