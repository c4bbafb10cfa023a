/** Opens the forges that the settings connect. */
import type { Database } from '@fettle/database';
import { type Forge, type Github, githubForge, localForge, openGithub } from '@fettle/forge';
import type { Log } from '@fettle/log';
import type { Config } from '../config.ts';
import { chooseForge } from './choose-forge.ts';

export interface OpenForge {
  forge: Forge;
  /** Undefined if GitHub is not connected. */
  github: Github | undefined;
}

export function openForge({
  config,
  database,
  log,
}: {
  config: Pick<Config, 'repositories' | 'gitHosts' | 'github'>;
  database: Database;
  log: Log;
}): OpenForge {
  const { pullRequests } = database;
  const local = localForge({
    repositories: config.repositories,
    hosts: config.gitHosts,
    storePullRequest: (proposal) => pullRequests.open(proposal),
  });
  const { credentials, ...addresses } = config.github;
  if (!credentials) return { forge: chooseForge({ local, github: undefined }), github: undefined };
  const github = openGithub({ credentials, ...addresses, log });
  const forge = githubForge({
    github,
    log,
    findNumber: async (operationId) => (await pullRequests.find(operationId))?.number,
    storePullRequest: (proposal, remote) => pullRequests.open({ ...proposal, remote }),
  });
  return { forge: chooseForge({ local, github: { forge, readName: github.readName } }), github };
}
