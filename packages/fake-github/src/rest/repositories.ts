import { z } from 'zod';
import { notFound } from '../http/api-error.ts';
import { roleOf } from '../http/authorize.ts';
import { actorOf, type Endpoint, ok, repositoryRoute, route } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { accountShape, publicUserShape } from '../shapes/account.ts';
import { permissionsShape, repositoryShape } from '../shapes/repository.ts';
import { requireAccount } from '../state/find.ts';

/** `triage` and `maintain` are reported as the next lower permission that existed before them. */
const permissionNames = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
} as const;

export const repositoryEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '',
    needs: { metadata: 'read' },
    run: ({ place: { world, repository, actor } }) => {
      const role = roleOf(repository, actor.account);
      const permissions = actor.app || !role ? undefined : permissionsShape(role);
      return ok({ ...repositoryShape(world, repository), ...(permissions && { permissions }) });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/collaborators/{username}/permission',
    needs: { metadata: 'read' },
    run: ({ place: { world, repository }, params }) => {
      const account = requireAccount(world, params.username ?? '');
      const role = roleOf(repository, account);
      return ok({
        permission: role ? permissionNames[role] : 'none',
        role_name: role ?? 'none',
        user: {
          ...accountShape(world, account),
          email: null,
          permissions: role
            ? permissionsShape(role)
            : { pull: false, triage: false, push: false, maintain: false, admin: false },
          role_name: role ?? 'none',
        },
      });
    },
  }),
  route({
    method: 'GET',
    path: '/users/{username}',
    auth: 'none',
    run: ({ world, params }) => ok(publicUserShape(world, requireAccount(world, params.username ?? ''))),
  }),
  route({
    method: 'GET',
    path: '/user',
    auth: 'token',
    run: ({ world, caller }) => {
      const actor = actorOf(caller);
      if (!actor || actor.app) throw notFound();
      return ok(publicUserShape(world, actor.account));
    },
  }),
];

export function rateLimitEndpoint(rateLimits: RateLimits): Endpoint {
  return route({
    method: 'GET',
    path: '/rate_limit',
    auth: 'none',
    body: z.unknown(),
    run: ({ caller }) => {
      const core = { ...rateLimits.shape(caller), resource: 'core' };
      const other = { limit: 30, used: 0, remaining: 30, reset: core.reset };
      return ok({
        resources: { core, search: other, graphql: { ...core, resource: 'graphql' } },
        rate: core,
      });
    },
  });
}
