import { z } from 'zod';
import type { ForgeLog } from './octokit.ts';

/** How Fettle signs in to GitHub: as an App, or as one user with a token. */
export type GithubCredentials =
  | { kind: 'app'; appId: string; privateKey: string }
  /** `owner/name` of each repository for which the token may be used. */
  | { kind: 'token'; token: string; repositories: string[] };

export interface GithubSettings {
  credentials: GithubCredentials;
  /** The REST API: `https://api.github.com`, or `https://github.example.com/api/v3`. */
  apiUrl: string;
  /** Web pages and git: `https://github.com`. */
  url: string;
  log: ForgeLog;
  /** Turned off in tests, which would wait for it. */
  pacing?: boolean;
}

/** A repository on GitHub. Its name can change, its id cannot. */
export interface GithubRepository {
  githubId: number;
  /** `owner/name` */
  name: string;
  /** Undefined with a personal token. */
  installationId: number | undefined;
}

export interface FoundRepository extends GithubRepository {
  /** The address for git. */
  url: string;
  defaultBranch: string;
}

export const repositorySchema = z.object({
  id: z.int(),
  full_name: z.string(),
  default_branch: z.string(),
});
export type RepositoryAnswer = z.infer<typeof repositorySchema>;

export function toFound(
  { url }: Pick<GithubSettings, 'url'>,
  { id, full_name, default_branch }: RepositoryAnswer,
  installationId: number | undefined,
): FoundRepository {
  return {
    ...{ githubId: id, name: full_name, installationId },
    ...{ url: `${url}/${full_name}.git`, defaultBranch: default_branch },
  };
}
