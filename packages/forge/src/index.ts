export type { Forge, ForgeRepository, Proposal, ProposalFacts } from './forge.ts';
export type { GithubAccount } from './github/access.ts';
export { forgeRefused, forgeUnavailable, isStatus, readRateLimit, toForgeError } from './github/errors.ts';
export { githubForge } from './github/github-forge.ts';
export { buildManifest, convertManifest } from './github/manifest.ts';
export type { GithubOctokit } from './github/octokit.ts';
export { type Github, openGithub } from './github/open-github.ts';
export { paramsOf } from './github/pull-request.ts';
export { readRepositoryName } from './github/repository-name.ts';
export type {
  FoundRepository,
  GithubCredentials,
  GithubRepository,
  GithubSettings,
} from './github/settings.ts';
export { localForge } from './local/local-forge.ts';
export type { GitHosts } from './local/remote-url.ts';
