/** What GitHub stores besides git. Branches, commits and merges live in bare repositories only. */

export interface Account {
  id: number;
  login: string;
  name: string | undefined;
  type: 'User' | 'Organization' | 'Bot';
}

/** The person or App that does something. */
export interface Actor {
  account: Account;
  /** Set when an App acts with an installation token. */
  app?: App | undefined;
}

export type Level = 'read' | 'write' | 'admin';
/** `{ contents: 'write', issues: 'read' }`, with GitHub's names. */
export type Permissions = Record<string, Level>;
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

export interface App {
  id: number;
  slug: string;
  name: string;
  description: string;
  owner: Account;
  bot: Account;
  clientId: string;
  publicKey: string;
  permissions: Permissions;
  events: string[];
  hook: Hook;
  externalUrl: string;
  createdAt: string;
}

export interface Hook {
  /** Undefined if the App has no webhook: then GitHub records no deliveries. */
  url: string | undefined;
  secret: string | undefined;
  contentType: 'json' | 'form';
}

export interface Installation {
  id: number;
  app: App;
  account: Account;
  permissions: Permissions;
  events: string[];
  repositoryIds: Set<number> | 'all';
  suspendedAt: string | undefined;
  suspendedBy: Account | undefined;
  createdAt: string;
}

export interface Token {
  id: number;
  kind: 'installation' | 'classic' | 'fine-grained';
  /** SHA-256 of the text. The text itself is not stored. */
  digest: string;
  account: Account;
  installation?: Installation;
  permissions: Permissions;
  /** Of a classic token. */
  scopes: string[];
  repositoryIds: Set<number> | 'all';
  expiresAt: number | undefined;
  isRevoked: boolean;
}

export interface Repository {
  id: number;
  owner: Account;
  name: string;
  isPrivate: boolean;
  description: string | undefined;
  defaultBranch: string;
  /** The bare repository. It is named after the id, so a rename does not move it. */
  folder: string;
  parentId: number | undefined;
  roles: Map<string, Role>;
  /** Pull requests are issues too and share their numbers. */
  issues: Map<number, Issue>;
  labels: Map<string, Label>;
  suites: CheckSuite[];
  statuses: CommitStatus[];
  workflowRuns: WorkflowRun[];
  protectedBranches: Map<string, Protection>;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
}

export interface Protection {
  requiredChecks: string[];
  /** Refuses direct pushes. */
  requiresPullRequest: boolean;
}

export interface Label {
  id: number;
  name: string;
  color: string;
  description: string | undefined;
}

export interface Issue {
  id: number;
  number: number;
  title: string;
  body: string | undefined;
  author: Actor;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'reopened' | undefined;
  labels: Label[];
  assignees: Account[];
  comments: Comment[];
  reactions: Reaction[];
  isLocked: boolean;
  createdAt: string;
  updatedAt: string;
  closedAt: string | undefined;
  closedBy: Account | undefined;
  pull?: Pull;
}

export interface Comment {
  id: number;
  body: string;
  author: Actor;
  reactions: Reaction[];
  createdAt: string;
  updatedAt: string;
}

export interface Reaction {
  id: number;
  content: string;
  author: Actor;
  createdAt: string;
}

export interface Pull {
  id: number;
  head: { repository: Repository; branch: string; sha: string };
  base: { branch: string; sha: string };
  isDraft: boolean;
  merged: { at: string; by: Account; sha: string } | undefined;
  maintainerCanModify: boolean;
  requestedReviewers: Account[];
  reviews: Review[];
  comments: ReviewComment[];
  resolvedThreads: Map<string, Account>;
  /** Derived from git whenever a branch of the pull request moves. */
  facts: PullFacts;
}

export interface PullFacts {
  commits: number;
  additions: number;
  deletions: number;
  changedFiles: number;
  isMergeable: boolean;
}

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';

export interface Review {
  id: number;
  author: Actor;
  body: string;
  state: ReviewState;
  commitId: string;
  submittedAt: string | undefined;
}

export interface ReviewComment {
  id: number;
  reviewId: number;
  /** The first comment of the thread. Undefined for the first comment itself. */
  inReplyTo: number | undefined;
  author: Actor;
  body: string;
  path: string;
  line: number;
  startLine: number | undefined;
  side: 'LEFT' | 'RIGHT';
  commitId: string;
  originalCommitId: string;
  diffHunk: string;
  /** The line is no longer part of the diff. */
  isOutdated: boolean;
  reactions: Reaction[];
  createdAt: string;
  updatedAt: string;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';
export type Conclusion =
  | 'action_required'
  | 'cancelled'
  | 'failure'
  | 'neutral'
  | 'skipped'
  | 'stale'
  | 'success'
  | 'timed_out';

export interface CheckSuite {
  id: number;
  app: App;
  headSha: string;
  headBranch: string;
  beforeSha: string | undefined;
  createdAt: string;
  updatedAt: string;
  runs: CheckRun[];
}

export interface CheckRun {
  id: number;
  name: string;
  headSha: string;
  status: CheckStatus;
  conclusion: Conclusion | undefined;
  startedAt: string;
  completedAt: string | undefined;
  detailsUrl: string | undefined;
  externalId: string;
  output: { title: string | undefined; summary: string | undefined; text: string | undefined };
  annotations: Annotation[];
  actions: { label: string; description: string; identifier: string }[];
  /** Set for jobs of GitHub Actions. The id of a job is the id of its check run. */
  job: { workflowRunId: number; log: string } | undefined;
  /** A rerun replaces a check run with a new one. */
  isReplaced: boolean;
}

export interface Annotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column?: number | undefined;
  end_column?: number | undefined;
  annotation_level: 'notice' | 'warning' | 'failure';
  message: string;
  title?: string | undefined;
  raw_details?: string | undefined;
}

export interface WorkflowRun {
  id: number;
  number: number;
  attempt: number;
  name: string;
  headSha: string;
  headBranch: string;
  suiteId: number;
  createdAt: string;
}

export interface CommitStatus {
  id: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | undefined;
  targetUrl: string | undefined;
  creator: Account;
  createdAt: string;
}
