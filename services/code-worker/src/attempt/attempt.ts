import type {
  Allowance,
  Claim,
  Event,
  EventBody,
  Leftovers,
  ProposalInput,
  PullRequestRef,
  Said,
  State,
  Totals,
} from '@fettle/contract';
import type { Log } from '@fettle/log';
import type { Registry } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import type { Redaction } from '@fettle/secrets';
import type { Toolchain } from '@fettle/toolchain';
import type { Config } from '../config/config.ts';
import type { GitAccess } from '../mirror/git-access.ts';
import type { ChosenModel } from '../models.ts';
import type { Remark } from '../propose/remark.ts';
import type { ListPrograms } from '../sandboxes/list-programs.ts';
import type { GitleaksScanner } from '../secrets/gitleaks-scanner.ts';
import type { Masking } from '../secrets/masking/create-masking.ts';

/** One attempt at an operation. Each stage takes only the groups that it needs: `Pick<Attempt, 'record' | 'stop'>`. */
export interface Attempt {
  claim: Claim;
  config: Config;
  log: Log;
  model: ChosenModel;
  spent: Spent;
  stop: Stop;
  record: OperationRecord;
  messages: Messages;
  state: OperationState;
  ownership: Ownership;
  checkpoints: CheckpointStore;
  publish: Publish;
  sandboxes: Sandboxes;
  secrets: Secrets;
}

/** What counts against the budgets. */
export interface Spent {
  /** Of the whole operation, updated in place by the agent loop. */
  totals: Totals;
  /** How long this attempt has been running. */
  seconds(): number;
}

export interface Stop {
  /** Aborted when the operation is cancelled, its lease is lost, or it has to be handed over at once. */
  signal: AbortSignal;
  /** Whether the attempt should hand over at its next checkpoint. */
  shouldYield(): boolean;
  /** Throws if the attempt should hand over. */
  yieldIfAsked(): void;
  /** The error to throw for a hand-over. */
  yieldError(): Error;
}

export interface OperationRecord {
  /** Resolves when the events are on record: all of them, in order, or none. */
  append(...events: EventBody[]): Promise<void>;
  /** Everything that earlier attempts recorded. */
  read(): Promise<Event[]>;
  /** Recorded commands that the proposal must point out to its reader. */
  commandRemarks(): Remark[];
}

/** Messages from people to the agent. */
export interface Messages {
  /** All messages that no recorded turn names, in order. Returns the same ones again until a turn does. */
  take(): Promise<Said[]>;
  /** The number of the last message that a recorded turn names. */
  lastDelivered(): number;
  /** All messages that the agent has seen, in order. */
  readDelivered(): Promise<Said[]>;
}

export interface OperationState {
  current(): State;
  /** Changes the state from the one that this attempt last set. */
  moveTo(state: 'acting' | 'verifying', message?: string): Promise<void>;
  /**
   * The only way into `proposing`. Returns false if there are messages that the agent has not seen, unless it could not
   * act on them any more.
   */
  startProposing(options: { canStillAct: boolean }): Promise<boolean>;
}

export interface Ownership {
  /** Throws unless a fresh answer of the api confirms that this attempt still owns the operation. */
  assertOwned(): Promise<void>;
  /** Protocols and token for git. The token is renewed for as long as this attempt owns the operation, or if the host refused it. */
  gitAccess(use?: { refused?: string }): Promise<GitAccess>;
}

/** Stores the checkpoints of the operation where workers on other machines find them. */
export interface CheckpointStore {
  put(commit: string, bytes: Buffer): Promise<void>;
  get(commit: string): Promise<Buffer | undefined>;
}

export interface Publish {
  openPullRequest(proposal: Omit<ProposalInput, 'fence'>): Promise<PullRequestRef>;
  /** Pushed branches to remove if the operation ended without a proposal. Also works for an attempt that lost it. */
  readLeftovers(): Promise<Leftovers>;
}

export interface Sandboxes {
  /** Returns an empty sandbox, which the caller has to close. */
  take(): Promise<Sandbox>;
  /** Where commands in a sandbox install packages from. */
  registry: Registry;
  /** The tools in the versions that repositories name. */
  toolchain: Toolchain;
  listPrograms: ListPrograms;
}

export interface Secrets {
  /** What the model sees of secrets. */
  masking: Masking;
  /** What people see of secrets. */
  redaction: Redaction;
  gitleaks: GitleaksScanner;
  /** The secrets that an operator allows in this repository, read from the api on each call. */
  readAllowances(): Promise<Allowance[]>;
}
