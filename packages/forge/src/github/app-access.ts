/** Access as a GitHub App: tokens for one repository, with the permissions that they need. */
import { FettleError, type RateLimit } from '@fettle/contract';
import { App } from '@octokit/app';
import { z } from 'zod';
import {
  apiPermissions,
  type GithubAccess,
  type InstallationStatus,
  type MintedToken,
  optionalPermissions,
  type Permissions,
  readRemaining,
  workerPermissions,
} from './access.ts';
import { forgeRefused, isStatus, toForgeError } from './errors.ts';
import type { GithubClients, GithubOctokit } from './octokit.ts';
import { type FoundRepository, type GithubSettings, repositorySchema, toFound } from './settings.ts';

const tokenSchema = z.object({ token: z.string(), expires_at: z.string() });
const installationSchema = z.object({
  id: z.int(),
  account: z.object({ login: z.string() }).nullable(),
  permissions: z.record(z.string(), z.string()),
  suspended_at: z.string().nullable(),
  html_url: z.string(),
});
type Installation = z.infer<typeof installationSchema>;
const appSchema = z.object({ slug: z.string(), html_url: z.string() });

const installationPath = '/app/installations/{installation_id}';

export function openAppAccess(
  settings: GithubSettings & { credentials: { kind: 'app' } },
  { Octokit, create }: GithubClients,
): GithubAccess {
  const { credentials, log } = settings;
  const { octokit: asApp } = new App({
    appId: credentials.appId,
    privateKey: credentials.privateKey,
    Octokit,
  }) as unknown as { octokit: GithubOctokit };
  const withToken = (token: string, account = 'app') => create(account, { auth: token });
  /** Permissions that a warning has named. */
  const warned = new Set<string>();

  const readApp = once(async () => appSchema.parse((await asApp.request('GET /app')).data));

  async function readInstallation(id: number): Promise<Installation> {
    const answer = await asApp.request(`GET ${installationPath}`, { installation_id: id });
    return installationSchema.parse(answer.data);
  }

  async function requestToken(
    installationId: number,
    body: { permissions: Permissions; repository_ids?: number[]; repositories?: string[] },
  ): Promise<MintedToken> {
    const { data } = await asApp.request(`POST ${installationPath}/access_tokens`, {
      installation_id: installationId,
      ...body,
    });
    const { token, expires_at } = tokenSchema.parse(data);
    return { text: token, expiresAt: Date.parse(expires_at) };
  }

  /** The wanted permissions without optional ones that the installation lacks. */
  async function reducePermissions(installationId: number, wanted: Permissions): Promise<Permissions> {
    const installation = await readInstallation(installationId);
    const missing = findMissing(installation, wanted);
    const required = missing.filter((each) => !optionalPermissions.includes(nameOf(each)));
    const account = installation.account?.login;
    if (required.length > 0) {
      const where = `Accept it at ${installation.html_url}.`;
      throw forgeRefused(`The App lacks the permission ${required.join(', ')} for ${account}. ${where}`);
    }
    for (const each of missing) {
      if (warned.has(`${account} ${each}`)) continue;
      warned.add(`${account} ${each}`);
      log.warn({ account, permission: each }, 'the App lacks a permission; what needs it is skipped');
    }
    const names = missing.map(nameOf);
    return Object.fromEntries(Object.entries(wanted).filter(([name]) => !names.includes(name)));
  }

  /** Each installation has a rate limit of its own. */
  async function useOnce<T>(
    installationId: number,
    token: MintedToken,
    use: (octokit: GithubOctokit) => Promise<T>,
  ): Promise<T> {
    try {
      return await use(withToken(token.text, String(installationId)));
    } finally {
      await revoke(token.text).catch(() => {});
    }
  }

  async function revoke(token: string): Promise<void> {
    await withToken(token).request('DELETE /installation/token');
  }

  async function listInstallations(): Promise<Installation[]> {
    return installationSchema.array().parse(await asApp.paginate('GET /app/installations'));
  }

  async function listIn({ id }: Installation): Promise<{ found: FoundRepository[]; rateLimit: RateLimit }> {
    const token = await requestToken(id, { permissions: { metadata: 'read' } });
    return useOnce(id, token, async (octokit) => {
      const all = await octokit.paginate('GET /installation/repositories');
      const found = repositorySchema.array().parse(all);
      const rateLimit = await readRemaining(octokit);
      return { found: found.map((each) => toFound(settings, each, id)), rateLimit };
    });
  }

  async function describeInstallation(installation: Installation): Promise<InstallationStatus> {
    const isSuspended = installation.suspended_at !== null;
    const access = isSuspended ? undefined : await listIn(installation);
    const wanted = { ...workerPermissions, ...apiPermissions };
    const account = installation.account?.login ?? String(installation.id);
    return {
      ...{ account, isSuspended, missingPermissions: findMissing(installation, wanted) },
      repositories: access?.found.map(({ name }) => name) ?? [],
      rateLimit: access?.rateLimit ?? null,
    };
  }

  async function explainAbsence(name: string): Promise<FettleError> {
    const { slug, html_url } = await readApp();
    const message = `The GitHub App ${slug} is not installed on ${name}. Install it at ${html_url}/installations/new, and select the repository`;
    return new FettleError('repository_not_found', message, 'repository');
  }

  return {
    kind: 'app',
    asApp,
    login: async () => `${(await readApp()).slug}[bot]`,
    async findRepository(name) {
      const [owner = '', repo = ''] = name.split('/');
      try {
        const { data } = await asApp.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
        const { id } = installationSchema.parse(data);
        const token = await requestToken(id, { permissions: { metadata: 'read' }, repositories: [repo] });
        const found = await useOnce(id, token, (octokit) =>
          octokit.request('GET /repos/{owner}/{repo}', { owner, repo }),
        );
        return toFound(settings, repositorySchema.parse(found.data), id);
      } catch (error) {
        if (isStatus(error, 404)) throw await explainAbsence(name);
        throw toForgeError(error, `access to ${name}`);
      }
    },
    async listRepositories() {
      const usable = (await listInstallations()).filter(({ suspended_at }) => suspended_at === null);
      const found: FoundRepository[] = [];
      // One after another: an organization can have thousands of repositories.
      for (const each of usable) found.push(...(await listIn(each)).found);
      return found;
    },
    async mint({ githubId, name, installationId }, wanted) {
      if (installationId === undefined) throw await explainAbsence(name);
      const request = { permissions: wanted, repository_ids: [githubId] };
      try {
        try {
          return await requestToken(installationId, request);
        } catch (error) {
          if (!isStatus(error, 422)) throw error;
          const permissions = await reducePermissions(installationId, wanted);
          return await requestToken(installationId, { ...request, permissions });
        }
      } catch (error) {
        if (isStatus(error, 404)) throw forgeRefused((await explainAbsence(name)).message);
        throw toForgeError(error, `a token for ${name}`);
      }
    },
    revoke,
    async status() {
      const { html_url } = await readApp();
      const installations: InstallationStatus[] = [];
      for (const each of await listInstallations()) installations.push(await describeInstallation(each));
      const notes = installations.length === 0 ? [`Install the App: ${html_url}/installations/new`] : [];
      const login = `${(await readApp()).slug}[bot]`;
      return { kind: 'app', login, appUrl: html_url, installations, notes };
    },
  };
}

const nameOf = (permission: string) => permission.split(':')[0] ?? '';

/** As `name:level`. */
function findMissing({ permissions }: Installation, wanted: Permissions): string[] {
  const has = (name: string, level: string) =>
    permissions[name] === level || ['write', 'admin'].includes(permissions[name] ?? '');
  return Object.entries(wanted).flatMap(([name, level]) => (has(name, level) ? [] : `${name}:${level}`));
}

/** Remembers a result, but no failure. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}
