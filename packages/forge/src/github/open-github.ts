import type { GithubAccess, GithubAccount } from './access.ts';
import { apiPermissions, readPermissions, workerPermissions } from './access.ts';
import { openAppAccess } from './app-access.ts';
import { isStatus, toForgeError } from './errors.ts';
import { createClients, type GithubClients, type GithubOctokit } from './octokit.ts';
import { readRepositoryName } from './repository-name.ts';
import type { FoundRepository, GithubRepository, GithubSettings } from './settings.ts';
import { openTokenAccess } from './token-access.ts';
import { createTokenBook } from './token-book.ts';

export interface ForOperation {
  operationId?: string | undefined;
}

export interface Github {
  kind: GithubAccess['kind'];
  url: string;
  /** Signs requests as the App itself. Undefined with a personal token. */
  asApp: GithubOctokit | undefined;
  /** `fettle[bot]`, or the user of GITHUB_TOKEN. Comments of this user are Fettle's own. */
  botLogin(): Promise<string>;
  /** Whether the text names a repository on this GitHub: `owner/name` or a web URL. Returns `owner/name`. */
  readName(input: string): string | undefined;
  /** Throws `repository_not_found`, with what to do, if Fettle has no access to it. */
  findRepository(name: string): Promise<FoundRepository>;
  /** All repositories that Fettle has access to. */
  syncInstallations(): Promise<FoundRepository[]>;
  /** A client for one repository, for everything that is not git. Signs each request with a current token. */
  octokitFor(repository: GithubRepository, use?: ForOperation & { purpose?: 'api' | 'read' }): GithubOctokit;
  /** The token for git. `refused` is the token that the host did not accept. */
  mintWorkerToken(
    repository: GithubRepository,
    use: ForOperation & { refused?: string | undefined },
  ): Promise<string>;
  /** Revokes the tokens of an operation. */
  endOperation(operationId: string): Promise<void>;
  /** Revokes the tokens of operations that are not worked on, and unused ones. */
  sweepTokens(worked: ReadonlySet<string>): Promise<void>;
  status(): Promise<GithubAccount>;
  /** Revokes all tokens. */
  close(): Promise<void>;
}

/** Signs in to GitHub on the first request, not here: it may be unreachable at the start. */
export function openGithub(settings: GithubSettings): Github {
  const { apiUrl, url, pacing = true } = settings;
  const clients = createClients({ apiUrl, pacing });
  const access = openAccess(settings, clients);
  const book = createTokenBook(access);

  return {
    kind: access.kind,
    url,
    asApp: access.asApp,
    botLogin: access.login,
    readName: (input) => readRepositoryName(input, url),
    findRepository: access.findRepository,
    syncInstallations: access.listRepositories,
    octokitFor(repository, { operationId, purpose = 'api' } = {}) {
      const permissions = purpose === 'api' ? apiPermissions : readPermissions;
      const take = (refused?: string) =>
        book.take({ repository, purpose, permissions, operationId, refused });
      const account = String(repository.installationId ?? 'token');
      return clients.create(account, { authStrategy: () => signEach(take) });
    },
    mintWorkerToken: (repository, { operationId, refused }) =>
      book.take({ repository, purpose: 'git', permissions: workerPermissions, operationId, refused }),
    endOperation: book.endOperation,
    sweepTokens: book.sweep,
    async status() {
      try {
        return await access.status();
      } catch (error) {
        throw toForgeError(error, 'to show what Fettle has access to');
      }
    },
    close: book.endAll,
  };
}

function openAccess(settings: GithubSettings, clients: GithubClients): GithubAccess {
  const { credentials } = settings;
  return credentials.kind === 'app'
    ? openAppAccess({ ...settings, credentials }, clients)
    : openTokenAccess({ ...settings, credentials }, clients);
}

type Endpoint = { headers: Record<string, unknown> };
interface Send {
  (endpoint: Endpoint): Promise<unknown>;
  endpoint: { merge(route: unknown, parameters: unknown): Endpoint };
}

/** An authentication strategy of Octokit. A token that GitHub refuses is renewed once. */
function signEach(take: (refused?: string) => Promise<string>) {
  async function hook(request: Send, route: unknown, parameters: unknown): Promise<unknown> {
    const send = (token: string) => {
      const endpoint = request.endpoint.merge(route, parameters);
      endpoint.headers.authorization = `token ${token}`;
      return request(endpoint);
    };
    const token = await take();
    try {
      return await send(token);
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      return send(await take(token));
    }
  }
  return Object.assign(async () => ({ type: 'token', token: await take() }), { hook });
}
