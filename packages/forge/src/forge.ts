import type { ProposalInput, PullRequestRef } from '@fettle/contract';

export interface ForgeRepository {
  forge: 'local';
  /** The address from which git fetches and to which it pushes. */
  url: string;
  name: string;
}

export interface Proposal extends ProposalInput {
  operationId: string;
  repositoryId: string;
}

/** A host of repositories and pull requests. */
export interface Forge {
  /** Finds the repository for a path, a URL or `owner/name`. Undefined if this forge does not recognise the input. */
  resolve(input: string): Promise<ForgeRepository | undefined>;
  /** The token for git at this address, if there is one. Requested by the worker that owns the operation. */
  gitToken(url: string): Promise<string | undefined>;
  /** Opens the pull request of an operation, or returns the existing one. */
  openPullRequest(proposal: Proposal): Promise<PullRequestRef>;
}
