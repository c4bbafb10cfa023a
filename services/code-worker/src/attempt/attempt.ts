import type { Model } from '@fettle/agent';
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
import type { Config } from '../config/config.ts';
import type { GitAccess } from '../mirror/git-access.ts';
import type { Remark } from '../propose/remarks.ts';
import type { SecondOpinion } from '../secrets/gitleaks-scanner.ts';
import type { Masking } from '../secrets/masking/create-masking.ts';

/** What every stage of one attempt needs. */
export interface Work {
  claim: Claim;
  config: Config;
  log: Log;
  model: Model;
  /** What the model sees of secrets. */
  masking: Masking;
  /** Where packages come from. */
  registry: Registry;
  /** What everything goes through that people get to see. */
  redaction: Redaction;
  secondOpinion: SecondOpinion;
  /** Aborted when the operation is cancelled, its lease is lost, or it has to be handed over at once. */
  signal: AbortSignal;
  totals: Totals;
  /** How long this attempt has worked. */
  secondsSpent(): number;
  /** An empty sandbox, which belongs to whoever took it. */
  takeSandbox(): Promise<Sandbox>;
  /** Resolves when the events are on record: all of them, in their order, or none. */
  record(...events: EventBody[]): Promise<void>;
  /** Everything that earlier attempts put on record. */
  readRecord(): Promise<Event[]>;
  /** What people said that no turn on record names, in its order: the same again until one does. */
  takeMessages(): Promise<Said[]>;
  /** Commands on record that a person has to be shown. */
  commandRemarks(): Remark[];
  /** The last message that a turn on record names. */
  heard(): number;
  /** All that the agent was told by people, in its order. */
  readHeard(): Promise<Said[]>;
  /** Moves on to the proposal; false where somebody said something that the agent has not heard. */
  startProposing(): Promise<boolean>;
  /** Whether the attempt should be handed over at the next good moment. */
  shouldYield(): boolean;
  /** Ends the attempt here if it should be handed over. */
  yieldIfAsked(): void;
  /** What to end an attempt with that is handed over. */
  yieldNow(): Error;
  /** By what git gets to the repository: asked of the api anew as long as the operation is ours. */
  gitAccess(): Promise<GitAccess>;
  /** Fails unless the operation is still ours, by a word of the api that is fresh. */
  assertOwned(): Promise<void>;
  /** What has to be taken away, if the operation ended without a proposal; told to anybody, also when it is not ours. */
  readLeftovers(): Promise<Leftovers>;
  /** Changes the operation's state from the one this attempt last knew. */
  moveTo(state: State, message?: string): Promise<void>;
  /** The secrets that an operator lets pass in this repository, as of a moment ago. */
  readAllowances(): Promise<Allowance[]>;
  openPullRequest(proposal: Omit<ProposalInput, 'fence'>): Promise<PullRequestRef>;
}
