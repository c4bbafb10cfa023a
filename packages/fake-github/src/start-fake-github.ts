/** Starts a server that behaves like GitHub, for tests and the demo. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppOptions, type CreatedApp, createApp } from './app/apps.ts';
import { createInstallation } from './changes/installations.ts';
import { createRepository } from './changes/repositories.ts';
import { type Controls, createControls } from './controls.ts';
import type { FileChanges } from './git/commits.ts';
import { createFaults } from './http/faults.ts';
import { createRateLimits } from './http/rate-limits.ts';
import type { GitUse, LoggedRequest } from './http/request-log.ts';
import type { Exchange } from './http/serve-endpoints.ts';
import { createServer } from './server.ts';
import type { Account, Permissions, Role } from './state/model.ts';
import { createWorld, type World } from './state/world.ts';
import { createDeliveries } from './webhooks/deliveries.ts';

export interface FakeGithubOptions {
  port?: number;
  /** Logins of people. */
  users?: string[];
  /** Logins of organizations. */
  organizations?: string[];
  repositories?: RepositorySeed[];
  /** An App that is installed on all repositories of these owners. By default there is none. */
  app?: Omit<AppOptions, 'owner'> & { installedFor?: string[] };
  /** Calls per hour for each installation or user. */
  rateLimit?: number;
  tokenLifetimeMs?: number;
  /** Called with every answer of the REST API and every webhook payload, to validate them. */
  onAnswer?: (exchange: Exchange) => void;
  onWebhook?: (event: string, payload: unknown) => void;
}

export interface RepositorySeed {
  /** `owner/name` */
  name: string;
  files?: FileChanges;
  /** A repository on disk to copy instead of `files`. */
  copyOf?: string;
  /** Repositories are private unless this says otherwise. */
  isPrivate?: boolean;
  defaultBranch?: string;
  roles?: Record<string, Role>;
}

export interface FakeGithub extends Controls {
  /** Of the web pages and of git. `GITHUB_URL` of Fettle. */
  url: string;
  /** `GITHUB_API_URL` of Fettle. */
  apiUrl: string;
  port: number;
  /** The App of the options, with its private key. */
  app: CreatedApp | undefined;
  close(): Promise<void>;
}

/** What Fettle needs. The fake enforces it. */
const appPermissions: Permissions = {
  metadata: 'read',
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  actions: 'read',
};

const appEvents = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'check_run',
  'check_suite',
  'push',
  'repository',
];

const defaultRateLimit = 5_000;
const defaultTokenLifetimeMs = 3_600_000;

export async function startFakeGithub(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const folder = await mkdtemp(join(tmpdir(), 'fake-github-'));
  const world = createWorld(folder);
  const deliveries = createDeliveries(world, options.onWebhook);
  const rateLimits = createRateLimits(world, options.rateLimit ?? defaultRateLimit);
  const faults = createFaults();
  const requests: LoggedRequest[] = [];
  const gitUses: GitUse[] = [];
  const settings = { tokenLifetimeMs: options.tokenLifetimeMs ?? defaultTokenLifetimeMs };
  const server = createServer({
    ...{ world, deliveries, rateLimits, faults },
    tokenLifetimeMs: () => settings.tokenLifetimeMs,
    onRequest: (request) => requests.push(request),
    onGitUse: (use) => gitUses.push(use),
    onAnswer: options.onAnswer,
  });
  await server.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  world.url = `http://127.0.0.1:${port}`;
  world.apiUrl = `${world.url}/api/v3`;
  const close = async () => {
    await deliveries.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  const app = await seed(world, options).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...createControls({ world, deliveries, rateLimits, faults, requests, gitUses }),
    url: world.url,
    apiUrl: world.apiUrl,
    port,
    app,
    close,
  };
}

async function seed(world: World, options: FakeGithubOptions): Promise<CreatedApp | undefined> {
  const { users = [], organizations = [], repositories = [], app } = options;
  for (const login of users) addAccount(world, login, 'User');
  for (const login of organizations) addAccount(world, login, 'Organization');
  for (const { name, ...repository } of repositories) {
    const [login = '', repositoryName = ''] = name.split('/');
    const owner = world.accounts.get(login.toLowerCase()) ?? addAccount(world, login, 'Organization');
    for (const member of Object.keys(repository.roles ?? {}))
      if (!world.accounts.has(member.toLowerCase())) addAccount(world, member, 'User');
    await createRepository(world, { owner, name: repositoryName, ...repository });
  }
  if (!app) return undefined;
  const { installedFor = [], ...appOptions } = app;
  const owner = world.accounts.values().next().value ?? addAccount(world, 'octo-org', 'Organization');
  const created = await createApp(world, {
    permissions: appPermissions,
    events: appEvents,
    ...appOptions,
    owner,
  });
  for (const login of installedFor) {
    const account = world.accounts.get(login.toLowerCase());
    if (!account) throw new Error(`there is no account ${login} to install the App for`);
    createInstallation(world, created.app, { account, repositories: 'all' });
  }
  return created;
}

function addAccount(world: World, login: string, type: Account['type']): Account {
  const account: Account = { id: world.nextId(), login, name: undefined, type };
  world.accounts.set(login.toLowerCase(), account);
  return account;
}
