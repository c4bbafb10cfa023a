import type { Database } from '@fettle/database';
import type { Github } from '@fettle/forge';
import type { EventGithub, GithubClient } from './context.ts';

export interface OpenEventGithub {
  github: Github;
  database: Database;
  organizationId: string;
}

/** With a personal token, Fettle has no account of its own to address. */
const defaultMention = 'fettle';

/** Clients for repositories by name. GitHub is asked only for repositories that are not stored. */
export function openEventGithub({ github, database, organizationId }: OpenEventGithub): EventGithub {
  let mention: Promise<string> | undefined;

  async function readMention(): Promise<string> {
    return github.kind === 'app' ? (await github.botLogin()).replace(/\[bot\]$/, '') : defaultMention;
  }

  async function open(name: string, purpose: 'api' | 'read'): Promise<GithubClient> {
    const stored = await database.repositories.findByName({ organizationId, forge: 'github', name });
    const { githubId, installationId } = stored ?? {};
    const repository =
      githubId === undefined
        ? await github.findRepository(name)
        : { githubId, name: stored?.name ?? name, installationId };
    return github.octokitFor(repository, { purpose });
  }

  return {
    url: github.url,
    app: github.asApp,
    readMention() {
      mention ??= readMention().catch((error) => {
        mention = undefined;
        throw error;
      });
      return mention;
    },
    clientFor: (name) => open(name, 'api'),
    readerFor: (name) => open(name, 'read'),
    findRepository: github.findRepository,
  };
}
