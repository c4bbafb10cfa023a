import type { CommandPolicy, History, Instruction, Saved } from '@fettle/agent';
import type { SetupLack, WithheldName } from '@fettle/check-run';
import type { Evidence } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { PathJudge } from '@fettle/policy';
import type { Sandbox } from '@fettle/sandbox';
import type { ChangeJudge } from '../save/judge-change.ts';
import type { SortSecrets } from '../secrets/known-secrets.ts';
import type { CheckDurations } from '../verify/check-durations.ts';
import type { RecentChecks } from '../verify/recent-checks.ts';

/** A check that was found, and whose program is not in the sandbox. */
export type UnusableCheck = Evidence['couldNotRun'][number];

/** The proposal that a revision changes. */
export interface Revising {
  branch: string;
  /** The files that others changed on its branch. */
  changedByOthers: string[];
  /** Why the revision before this one ended without a commit. */
  discarded: string | undefined;
}

/** The sandbox in which the agent works, with the worker's mirror behind it. */
export interface Workspace {
  mirror: string;
  baseBranch: string;
  baseCommit: string;
  /** The commit that the change is compared with. Differs from the base commit once others merged the base branch. */
  diffBase: string;
  /** The commit that the next one follows: the base commit, or the head of the proposal that is revised. */
  parent: string;
  /** Set if a proposal is revised. */
  revising: Revising | undefined;
  /** Its commands are those that can run in the sandbox. */
  config: RepositoryConfig;
  /** Also the set-up, if it was discovered and did not pass. */
  unusableChecks: UnusableCheck[];
  /** Why the discovered set-up did not pass in the agent's sandbox. */
  setupLack: SetupLack | undefined;
  /** What the tools of the repository lack. */
  problems: string[];
  /** The instructions for agents in the base commit. */
  instructions: Instruction[];
  sandbox: Sandbox;
  /** The files of the base that no sandbox gets, as an output would name them. */
  withheld: WithheldName[];
  recentChecks: RecentChecks;
  durations: CheckDurations;
  /** What commands can use, each with its version. */
  programs: string[];
  history: History;
  judgePath: PathJudge;
  /** How the agent's commands run. */
  commandPolicy: CommandPolicy;
  judgeChange: ChangeJudge;
  sortSecrets: SortSecrets;
  /** The latest checkpoint, or the base commit. */
  head(): string;
  /** Whether the tree is the one of `parent`. */
  isUnchanged(): Promise<boolean>;
  saveChanges(paths?: string[]): Promise<Saved>;
  /** Saves changes that belong to no tool call, and records the checkpoint. */
  saveRest(): Promise<Saved>;
  /** Opens another sandbox that contains only the tree of a commit. */
  openFresh(commit: string): Promise<Sandbox>;
  /** Starts to close a sandbox of this workspace that is no longer needed. */
  closeSandbox(sandbox: Sandbox): void;
  /** Closes what is still open, and waits until everything is closed. */
  close(): Promise<void>;
}
