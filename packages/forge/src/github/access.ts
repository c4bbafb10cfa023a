import type { GithubStatus, RateLimit } from '@fettle/contract';
import { z } from 'zod';
import type { GithubOctokit } from './octokit.ts';
import type { FoundRepository, GithubRepository } from './settings.ts';

export type Permissions = Record<string, 'read' | 'write'>;

/** For git, and nothing else. */
export const workerPermissions: Permissions = { contents: 'write' };
/** For everything that is not git. */
export const apiPermissions: Permissions = {
  issues: 'write',
  pull_requests: 'write',
  checks: 'write',
  actions: 'read',
};
/** For files and commits, which the api reads where a request needs them. */
export const readPermissions: Permissions = { contents: 'read' };
/** Without these, Fettle skips what they are for. */
export const optionalPermissions = ['checks', 'actions'];

export interface MintedToken {
  text: string;
  /** Undefined if it does not expire, as far as Fettle knows. */
  expiresAt: number | undefined;
}

/** What Fettle has access to. */
export type GithubAccount = Omit<GithubStatus, 'url' | 'lastDelivery'>;
export type InstallationStatus = GithubStatus['installations'][number];

const limitSchema = z.object({
  resources: z.object({ core: z.object({ limit: z.int(), remaining: z.int(), reset: z.int() }) }),
});

export async function readRemaining(octokit: GithubOctokit): Promise<RateLimit> {
  const { core } = limitSchema.parse((await octokit.request('GET /rate_limit')).data).resources;
  const { limit, remaining, reset } = core;
  return { limit, remaining, resetAt: new Date(reset * 1000).toISOString() };
}

/** The two ways to sign in: as an App, or with a personal token. */
export interface GithubAccess {
  kind: 'app' | 'token';
  /** Signs requests as the App itself. Undefined with a personal token. */
  asApp: GithubOctokit | undefined;
  login(): Promise<string>;
  /** Throws `repository_not_found` with the reason if Fettle has no access to it. */
  findRepository(name: string): Promise<FoundRepository>;
  listRepositories(): Promise<FoundRepository[]>;
  mint(repository: GithubRepository, permissions: Permissions): Promise<MintedToken>;
  revoke(token: string): Promise<void>;
  status(): Promise<GithubAccount>;
}
