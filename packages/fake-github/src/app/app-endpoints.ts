/** What an App does with its JWT, and what a token can find out about itself. */
import { z } from 'zod';
import { deleteInstallation } from '../changes/installations.ts';
import { ApiError, badCredentials, notFound } from '../http/api-error.ts';
import { covers, roleOf } from '../http/authorize.ts';
import { type Call, created, type Endpoint, noContent, ok, route } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { installationShape, ownAppShape } from '../shapes/app.ts';
import { permissionsShape, repositoryShape } from '../shapes/repository.ts';
import { findRepository } from '../state/find.ts';
import type { App, Installation, Token } from '../state/model.ts';
import { formatTime } from '../state/world.ts';
import { createInstallationToken, listInstalled } from './tokens.ts';

const permissionsSchema = z.record(z.string(), z.enum(['read', 'write', 'admin']));

export function appEndpoints(tokenLifetimeMs: () => number): Endpoint[] {
  return [
    route({
      method: 'GET',
      path: '/app',
      auth: 'app',
      run: (call) => ok(ownAppShape(call.world, requireApp(call))),
    }),
    route({
      method: 'GET',
      path: '/app/installations',
      auth: 'app',
      run: (call) => {
        const app = requireApp(call);
        const installations = call.world.installations.filter((each) => each.app === app);
        return paginate(call, installations, (each) => installationShape(call.world, each));
      },
    }),
    route({
      method: 'GET',
      path: '/app/installations/{installation_id}',
      auth: 'app',
      run: (call) => ok(installationShape(call.world, requireInstallation(call))),
    }),
    route({
      method: 'DELETE',
      path: '/app/installations/{installation_id}',
      auth: 'app',
      run: (call) => {
        const installation = requireInstallation(call);
        deleteInstallation(call.world, installation, installation.account);
        return noContent;
      },
    }),
    route({
      method: 'POST',
      path: '/app/installations/{installation_id}/access_tokens',
      auth: 'app',
      body: z.object({
        repository_ids: z.array(z.number().int()).optional(),
        repositories: z.array(z.string()).optional(),
        permissions: permissionsSchema.optional(),
      }),
      run: (call) => {
        const { world } = call;
        const installation = requireInstallation(call);
        const { token, text, repositories } = createInstallationToken(
          world,
          installation,
          call.body,
          tokenLifetimeMs(),
        );
        return created({
          token: text,
          expires_at: formatTime(token.expiresAt ?? 0),
          permissions: token.permissions,
          repository_selection: token.repositoryIds === 'all' ? 'all' : 'selected',
          ...(repositories && { repositories: repositories.map((each) => repositoryShape(world, each)) }),
        });
      },
    }),
    ...findInstallationRoutes(),
    route({
      method: 'DELETE',
      path: '/installation/token',
      auth: 'token',
      run: (call) => {
        requireInstallationToken(call).isRevoked = true;
        return noContent;
      },
    }),
    route({
      method: 'GET',
      path: '/installation/repositories',
      auth: 'token',
      run: (call) => {
        const { world } = call;
        const token = requireInstallationToken(call);
        if (token.installation.suspendedAt !== undefined)
          throw new ApiError(403, 'This installation has been suspended');
        const repositories = listInstalled(world, token.installation).filter((each) =>
          covers(token.repositoryIds, each),
        );
        return paginate(
          call,
          repositories,
          (each) => repositoryShape(world, each),
          (page, total_count) => ({
            total_count,
            repository_selection: token.repositoryIds === 'all' ? 'all' : 'selected',
            repositories: page,
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/user/repos',
      auth: 'token',
      run: (call) => {
        const { world, caller } = call;
        if (caller.kind !== 'token' || caller.token.installation) throw notFound();
        const { account, repositoryIds } = caller.token;
        const repositories = world.repositories.filter(
          (each) => covers(repositoryIds, each) && (each.owner === account || each.roles.has(account.login)),
        );
        return paginate(call, repositories, (each) => ({
          ...repositoryShape(world, each),
          permissions: permissionsShape(roleOf(each, account) ?? 'read'),
        }));
      },
    }),
  ];
}

function findInstallationRoutes(): Endpoint[] {
  const find = (call: Call, isWanted: (installation: Installation) => boolean) => {
    const app = requireApp(call);
    const installation = call.world.installations.find((each) => each.app === app && isWanted(each));
    if (!installation) throw notFound();
    return ok(installationShape(call.world, installation));
  };
  return [
    route({
      method: 'GET',
      path: '/repos/{owner}/{repo}/installation',
      auth: 'app',
      run: (call) => {
        const repository = findRepository(call.world, `${call.params.owner}/${call.params.repo}`);
        if (!repository) throw notFound();
        return find(
          call,
          (each) => each.account === repository.owner && covers(each.repositoryIds, repository),
        );
      },
    }),
    ...(['/orgs/{org}/installation', '/users/{username}/installation'] as const).map((path) =>
      route({
        method: 'GET',
        path,
        auth: 'app',
        run: (call) => {
          const login = (call.params.org ?? call.params.username ?? '').toLowerCase();
          return find(call, ({ account }) => account.login.toLowerCase() === login);
        },
      }),
    ),
  ];
}

export function requireApp({ caller }: Pick<Call, 'caller'>): App {
  if (caller.kind !== 'app') throw badCredentials('A JSON web token could not be decoded');
  return caller.app;
}

function requireInstallation(call: Call): Installation {
  const app = requireApp(call);
  const id = Number(call.params.installation_id);
  const found = call.world.installations.find((each) => each.app === app && each.id === id);
  if (!found) throw notFound();
  return found;
}

function requireInstallationToken({ caller }: Call): Token & { installation: Installation } {
  const token = caller.kind === 'token' ? caller.token : undefined;
  if (!hasInstallation(token))
    throw new ApiError(
      403,
      'You must authenticate with an installation access token in order to list repositories for an installation.',
    );
  return token;
}

function hasInstallation(token: Token | undefined): token is Token & { installation: Installation } {
  return token?.installation !== undefined;
}
