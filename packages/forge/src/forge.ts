import type { Finding, ForgeName, ProofStatus, ProposalInput, PullRequestRef } from '@fettle/contract';

export interface ForgeRepository {
  forge: ForgeName;
  /** The address from which git fetches and to which it pushes. */
  url: string;
  name: string;
  /** These are set on GitHub. */
  githubId?: number | undefined;
  installationId?: number | undefined;
  defaultBranch?: string | undefined;
}

export interface Proposal extends ProposalInput {
  operationId: string;
  repositoryId: string;
}

/** What the api adds to the text of a pull request, and reports in its check run. */
export interface ProposalFacts {
  requester: string;
  /** The comment or issue that requested the operation. */
  requestUrl?: string | undefined;
  usd: number;
  findings: Finding[];
  proof?: ProofStatus | undefined;
  /** Why the proposal is a draft. */
  message?: string | undefined;
}

export interface TokenRequest {
  operationId: string;
  /** The token that the host did not accept. */
  refused?: string | undefined;
}

/** A host of repositories and pull requests. */
export interface Forge {
  /** Finds the repository for a path, a URL or `owner/name`. Undefined if this forge does not recognise the input. */
  resolve(input: string): Promise<ForgeRepository | undefined>;
  /** The token for git at this repository, if there is one. Requested by the worker that owns the operation. */
  gitToken(repository: ForgeRepository, request: TokenRequest): Promise<string | undefined>;
  /** Opens the pull request of an operation, or updates the existing one. Safe to repeat. */
  openPullRequest(
    repository: ForgeRepository,
    proposal: Proposal,
    readFacts: () => Promise<ProposalFacts>,
  ): Promise<PullRequestRef>;
  /** The operation needs no tokens any more. */
  endOperation(operationId: string): Promise<void>;
}
