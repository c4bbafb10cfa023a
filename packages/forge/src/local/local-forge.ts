import { FettleError, type PullRequestRef } from '@fettle/contract';
import type { Forge, ForgeRepository, Proposal } from '../forge.ts';
import {
  findNamedRepository,
  findRepository,
  isRepositoryName,
  localPath,
  repositoryName,
} from './find-repository.ts';
import { type GitHosts, remoteName, remoteUrl } from './remote-url.ts';

export interface LocalForgeOptions {
  /** The folder that contains `owner/name`. */
  repositories: string;
  hosts: GitHosts;
  /** Stores a pull request and returns its number. An operation keeps its number. */
  storePullRequest(proposal: Proposal): Promise<{ id: string; number: number; title: string }>;
}

/** Repositories on this machine or on a plain git host, with pull requests in our own database. */
export function localForge({ repositories, hosts, storePullRequest }: LocalForgeOptions): Forge {
  return {
    async resolve(input) {
      const url = remoteUrl(input, hosts);
      if (url) return { forge: 'local', url: url.href, name: remoteName(url) };
      const path = localPath(input);
      if (path !== undefined) return onDisk(findRepository(path), `no git repository at ${path}`);
      if (!isRepositoryName(input)) return undefined;
      return onDisk(
        findNamedRepository(repositories, input),
        `no git repository ${input} below ${repositories}`,
      );
    },

    async gitToken({ url }) {
      const origin = URL.parse(url)?.origin;
      return origin === undefined ? undefined : hosts.get(origin);
    },

    async openPullRequest(_repository, proposal): Promise<PullRequestRef> {
      const { id, number, title } = await storePullRequest(proposal);
      return { number, title, url: `/v1/pull-requests/${id}` };
    },

    async endOperation() {},
  };
}

function onDisk(folder: string | undefined, message: string): ForgeRepository {
  if (folder === undefined) throw new FettleError('repository_not_found', message, 'repository');
  return { forge: 'local', url: folder, name: repositoryName(folder) };
}
