import { z } from 'zod';
import { moveBranches } from '../changes/branches.ts';
import { readCommit } from '../git/commits.ts';
import { deleteRef, isAncestor, listRefs, resolveCommit, updateRef } from '../git/refs.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { created, type Endpoint, noContent, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { commitShape } from '../shapes/commit.ts';
import { repositoryPage, repositoryUrl } from '../shapes/repository.ts';
import type { Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';

const contents = { contents: 'read' } as const;
const writeContents = { contents: 'write' } as const;

export const branchEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/branches',
    needs: contents,
    run: async ({ place: { world, repository }, ...call }) => {
      const refs = [...(await listRefs(repository.folder, 'refs/heads/'))];
      return paginate(call, refs, ([ref, sha]) => {
        const name = ref.slice('refs/heads/'.length);
        return {
          name,
          commit: { sha, url: `${repositoryUrl(world, repository)}/commits/${sha}` },
          protected: repository.protectedBranches.has(name),
        };
      });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/branches/{branch}',
    needs: contents,
    run: async ({ place: { world, repository }, params: { branch = '' } }) => {
      const sha = await resolveCommit(repository.folder, `refs/heads/${branch}`);
      if (sha === undefined) throw new ApiError(404, 'Branch not found');
      const url = `${repositoryUrl(world, repository)}/branches/${encodeURIComponent(branch)}`;
      const protection = repository.protectedBranches.get(branch);
      return ok({
        name: branch,
        commit: commitShape(world, repository, await readCommit(repository.folder, sha)),
        _links: { self: url, html: `${repositoryPage(world, repository)}/tree/${branch}` },
        protected: protection !== undefined,
        protection: {
          enabled: protection !== undefined,
          required_status_checks: {
            enforcement_level: protection ? 'non_admins' : 'off',
            contexts: protection?.requiredChecks ?? [],
            checks: (protection?.requiredChecks ?? []).map((context) => ({ context, app_id: null })),
          },
        },
        protection_url: `${url}/protection`,
      });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/git/ref/{ref}',
    needs: contents,
    run: async ({ place: { world, repository }, params: { ref = '' } }) => {
      const name = `refs/${ref}`;
      const sha = (await listRefs(repository.folder, name)).get(name);
      if (sha === undefined) throw notFound();
      return ok(refShape(world, repository, name, sha));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/git/matching-refs/{ref}',
    needs: contents,
    run: async ({ place: { world, repository }, params: { ref = '' }, ...call }) => {
      const refs = [...(await listRefs(repository.folder))].filter(([name]) =>
        name.startsWith(`refs/${ref}`),
      );
      return paginate(call, refs, ([name, sha]) => refShape(world, repository, name, sha));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/git/refs',
    needs: writeContents,
    body: z.object({ ref: z.string().startsWith('refs/'), sha: z.string() }),
    run: async ({ place, body: { ref, sha } }) => {
      const { world, repository } = place;
      if ((await listRefs(repository.folder, ref)).has(ref))
        throw new ApiError(422, 'Reference already exists');
      if ((await resolveCommit(repository.folder, sha)) !== sha)
        throw new ApiError(422, 'Object does not exist');
      await moveBranches(place, () => updateRef(repository.folder, ref, sha, '0'.repeat(40)));
      return created(refShape(world, repository, ref, sha));
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/git/refs/{ref}',
    needs: writeContents,
    body: z.object({ sha: z.string(), force: z.boolean().default(false) }),
    run: async ({ place, params: { ref = '' }, body: { sha, force } }) => {
      const { world, repository } = place;
      const name = `refs/${ref}`;
      const current = (await listRefs(repository.folder, name)).get(name);
      if (current === undefined) throw new ApiError(422, 'Reference does not exist');
      if (!force && !(await isAncestor(repository.folder, current, sha)))
        throw new ApiError(422, 'Update is not a fast forward');
      await moveBranches(place, () => updateRef(repository.folder, name, sha, current));
      return ok(refShape(world, repository, name, sha));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/git/refs/{ref}',
    needs: writeContents,
    run: async ({ place, params: { ref = '' } }) => {
      const { folder } = place.repository;
      const name = `refs/${ref}`;
      if (!(await listRefs(folder, name)).has(name)) throw new ApiError(422, 'Reference does not exist');
      await moveBranches(place, () => deleteRef(folder, name));
      return noContent;
    },
  }),
];

function refShape(world: World, repository: Repository, ref: string, sha: string) {
  const base = repositoryUrl(world, repository);
  return {
    ref,
    node_id: nodeId('REF', `${repository.id}:${ref}`),
    url: `${base}/git/${ref}`,
    object: { type: 'commit', sha, url: `${base}/git/commits/${sha}` },
  };
}
