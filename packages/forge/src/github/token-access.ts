/** Access with the token of one user. Its permissions cannot be reduced, so it serves only the listed repositories. */
import { FettleError } from '@fettle/contract';
import { z } from 'zod';
import { type GithubAccess, readRemaining } from './access.ts';
import { isStatus, toForgeError } from './errors.ts';
import type { GithubClients } from './octokit.ts';
import { type FoundRepository, type GithubSettings, repositorySchema, toFound } from './settings.ts';

const userSchema = z.object({ login: z.string() });

export function openTokenAccess(
  settings: GithubSettings & { credentials: { kind: 'token' } },
  { create }: GithubClients,
): GithubAccess {
  const { token, repositories } = settings.credentials;
  const octokit = create('token', { auth: token });
  let user: string | undefined;

  async function login(): Promise<string> {
    user ??= userSchema.parse((await octokit.request('GET /user')).data).login;
    return user;
  }

  async function findRepository(name: string): Promise<FoundRepository> {
    if (!repositories.some((each) => each.toLowerCase() === name.toLowerCase())) {
      const message = `GITHUB_TOKEN is not used for ${name}, which GITHUB_REPOSITORIES does not list. Add it there`;
      throw new FettleError('repository_not_found', message, 'repository');
    }
    const [owner = '', repo = ''] = name.split('/');
    try {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}', { owner, repo });
      return toFound(settings, repositorySchema.parse(data), undefined);
    } catch (error) {
      if (!isStatus(error, 404)) throw toForgeError(error, `access to ${name}`);
      const message = `GitHub shows GITHUB_TOKEN no repository ${name}. Give the token access to it`;
      throw new FettleError('repository_not_found', message, 'repository');
    }
  }

  return {
    kind: 'token',
    asApp: undefined,
    login,
    findRepository,
    async listRepositories() {
      const found = await Promise.allSettled(repositories.map(findRepository));
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    },
    async mint({ name }) {
      // The list may have changed since the operation was created.
      await findRepository(name);
      return { text: token, expiresAt: undefined };
    },
    async revoke() {},
    async status() {
      const { headers, data } = await octokit.request('GET /user');
      const scopes = headers['x-oauth-scopes'];
      const power = scopes
        ? `GITHUB_TOKEN is a classic token with the scopes ${scopes}, for every repository of ${data.login}. Fettle uses it only for those in GITHUB_REPOSITORIES`
        : 'GITHUB_TOKEN is a fine-grained token. GitHub does not say what it may do; give it contents, issues and pull requests (write) on the listed repositories';
      const found = await Promise.allSettled(repositories.map(findRepository));
      const missing = found.flatMap((each) =>
        each.status === 'rejected' ? [(each.reason as Error).message] : [],
      );
      const names = found.flatMap((each) => (each.status === 'fulfilled' ? each.value.name : []));
      const noChecks = 'A token cannot report check runs and has no identity of its own; an App can';
      return {
        kind: 'token',
        login: data.login,
        appUrl: null,
        installations: [
          {
            ...{ account: data.login, isSuspended: false, missingPermissions: [], repositories: names },
            rateLimit: await readRemaining(octokit),
          },
        ],
        notes: [power, noChecks, ...missing],
      };
    },
  };
}
