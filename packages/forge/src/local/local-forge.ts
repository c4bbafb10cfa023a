import { FettleError, type PullRequestRef } from '@fettle/contract';
import type { Forge, Proposal } from '../forge.ts';
import { findRepository, localPath, repositoryName } from './find-repository.ts';

export interface LocalForgeOptions {
  /** Stores a pull request and gives its number; the same operation keeps its number. */
  storePullRequest(proposal: Proposal): Promise<{ id: string; number: number; title: string }>;
}

/** Repositories on this machine's disk, with pull requests in our own database. */
export function localForge({ storePullRequest }: LocalForgeOptions): Forge {
  return {
    async resolve(words) {
      const path = localPath(words);
      if (path === undefined) return undefined;
      const repository = findRepository(path);
      if (!repository)
        throw new FettleError('repository_not_found', `no git repository at ${path}`, 'repository');
      return { forge: 'local', url: repository, name: repositoryName(repository) };
    },

    async openPullRequest(proposal): Promise<PullRequestRef> {
      const { id, number, title } = await storePullRequest(proposal);
      return { number, title, url: `/v1/pull-requests/${id}` };
    },
  };
}
