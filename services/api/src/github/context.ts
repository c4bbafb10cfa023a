/** What the effects of GitHub's events use. */
import type { Github } from '@fettle/forge';
import type { Octokit } from '@octokit/core';
import type { Dependencies } from '../dependencies.ts';

/** A client for one repository. */
export type GithubClient = Pick<Octokit, 'request' | 'graphql'>;

export interface EventGithub {
  /** Web pages: `https://github.com`. */
  url: string;
  /** The name after @ that addresses Fettle. */
  readMention(): Promise<string>;
  /** Fails with `repository_not_found` or `forge_refused` if Fettle has no access. */
  clientFor(repository: string): Promise<GithubClient>;
  /** For files and commits. */
  readerFor(repository: string): Promise<GithubClient>;
  /** Signs requests as the App. Undefined with a personal token, which has no list of deliveries. */
  app: GithubClient | undefined;
  findRepository: Github['findRepository'];
}

export interface EventRules {
  /** Accounts that may make requests in every repository, in lower case. */
  requesters: readonly string[];
  /** How long single comments and failed checks are collected before they start a revision. */
  collectSeconds: number;
  maxRevisions: number;
}

export interface EventContext {
  dependencies: Dependencies;
  github: EventGithub;
  rules: EventRules;
  organizationId: string;
}

/** The id of the stored repository, which is stored if it is new. */
export async function repositoryIdOf(
  { dependencies, github, organizationId }: EventContext,
  name: string,
): Promise<string> {
  const { database, forge } = dependencies;
  const known = await database.repositories.findByName({ organizationId, forge: 'github', name });
  if (known) return known.id;
  const found = await forge.resolve(`${github.url}/${name}`);
  if (!found) throw new Error(`the forge does not recognise ${name}`);
  return (await database.repositories.ensure({ organizationId, ...found })).id;
}

/** `owner/name` as the parameters of GitHub's routes. */
export function placeOf(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
