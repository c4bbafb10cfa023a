import type { ProposalInput, PullRequestRef } from '@fettle/contract';

export interface ForgeRepository {
  forge: 'local';
  /** What git fetches from and pushes to. */
  url: string;
  name: string;
}

export interface Proposal extends ProposalInput {
  operationId: string;
  repositoryId: string;
}

/** Where repositories and pull requests live. */
export interface Forge {
  /** The repository that a person's words name, or undefined when they do not name one of this forge. */
  resolve(words: string): Promise<ForgeRepository | undefined>;
  /** What git has to show at this address, if anything: for one operation's owner, who asks for it when needed. */
  gitToken(url: string): Promise<string | undefined>;
  /** Opens the operation's pull request, or gives the one it already has. */
  openPullRequest(proposal: Proposal): Promise<PullRequestRef>;
}
