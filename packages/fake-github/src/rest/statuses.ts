import { z } from 'zod';
import { emitHere } from '../changes/place.ts';
import { readCommit } from '../git/commits.ts';
import { created, type Endpoint, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { statusShape } from '../shapes/check.ts';
import { commitShape } from '../shapes/commit.ts';
import { repositoryShape, repositoryUrl } from '../shapes/repository.ts';
import type { CommitStatus, Repository } from '../state/model.ts';
import { requireCommit } from './commits.ts';

export const statusEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'POST',
    path: '/statuses/{sha}',
    needs: { statuses: 'write' },
    body: z.object({
      state: z.enum(['error', 'failure', 'pending', 'success']),
      context: z.string().default('default'),
      description: z.string().nullish(),
      target_url: z.string().nullish(),
    }),
    run: async ({ place, params, body }) => {
      const { world, repository, actor } = place;
      const sha = await requireCommit(repository, params.sha ?? '');
      const status: CommitStatus = {
        id: world.nextId(),
        sha,
        state: body.state,
        context: body.context,
        description: body.description ?? undefined,
        targetUrl: body.target_url ?? undefined,
        creator: actor.account,
        createdAt: world.now(),
      };
      repository.statuses.push(status);
      const { id, state, context, createdAt } = status;
      const commit = commitShape(world, repository, await readCommit(repository.folder, sha));
      emitHere(place, {
        name: 'status',
        payload: {
          ...{ id, sha, name: repository.name, state, context, commit, branches: [] },
          description: body.description ?? null,
          target_url: body.target_url ?? null,
          created_at: createdAt,
          updated_at: createdAt,
        },
      });
      return created(statusShape(world, repository, status));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{ref}/statuses',
    needs: { statuses: 'read' },
    run: async ({ place: { world, repository }, params: { ref = '' }, ...call }) => {
      const sha = await requireCommit(repository, ref);
      const statuses = repository.statuses.filter((each) => each.sha === sha).reverse();
      return paginate(call, statuses, (status) => statusShape(world, repository, status));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{ref}/status',
    needs: { statuses: 'read' },
    run: async ({ place: { world, repository }, params: { ref = '' } }) => {
      const sha = await requireCommit(repository, ref);
      const statuses = latestStatuses(repository, sha);
      const commitUrl = `${repositoryUrl(world, repository)}/commits/${sha}`;
      return ok({
        state: combine(statuses),
        statuses: statuses.map((each) => {
          const { creator: _, ...shape } = statusShape(world, repository, each);
          return shape;
        }),
        sha,
        total_count: statuses.length,
        repository: repositoryShape(world, repository),
        commit_url: commitUrl,
        url: `${commitUrl}/status`,
      });
    },
  }),
];

/** The last status of each context. */
function latestStatuses(repository: Repository, sha: string): CommitStatus[] {
  const statuses = repository.statuses.filter((each) => each.sha === sha);
  return [...new Map(statuses.map((each) => [each.context, each])).values()];
}

function combine(statuses: readonly CommitStatus[]): string {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  if (statuses.length === 0 || statuses.some(({ state }) => state === 'pending')) return 'pending';
  return 'success';
}
