import type { CommandPolicy, History, Instruction, Saved } from '@fettle/agent';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { PathJudge } from '@fettle/policy';
import type { Sandbox } from '@fettle/sandbox';
import type { ChangeJudge } from '../save/judge-change.ts';
import type { SortSecrets } from '../secrets/known-secrets.ts';

/** The clone in which one attempt works, with the worker's own bare repository behind it. */
export interface Workspace {
  mirror: string;
  baseBranch: string;
  baseCommit: string;
  config: RepositoryConfig;
  /** What the base commit tells whoever works on it. */
  instructions: Instruction[];
  sandbox: Sandbox;
  history: History;
  judgePath: PathJudge;
  /** How the agent's command lines are run. */
  commandPolicy: CommandPolicy;
  judgeChange: ChangeJudge;
  sortSecrets: SortSecrets;
  /** The newest checkpoint, or the base commit. */
  head(): string;
  saveChanges(paths?: string[]): Promise<Saved>;
  /** Saves what no part accounts for, and puts it on record by itself. */
  saveRest(): Promise<Saved>;
  /** A second sandbox with the tree of a commit and nothing else. */
  openFresh(commit: string): Promise<Sandbox>;
  /** Begins to end one that is not needed any more, the first or a fresh one. */
  closeSandbox(sandbox: Sandbox): void;
  /** Ends what is left, and waits until everything is gone. */
  close(): Promise<void>;
}
