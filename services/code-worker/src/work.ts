import type { Model } from '@fettle/agent';
import type { Claim, EventBody, ProposalInput, PullRequestRef, State, Totals } from '@fettle/contract';
import type { Sandbox } from '@fettle/sandbox';
import type { Config } from './config.ts';

/** What every stage of one attempt needs. */
export interface Work {
  claim: Claim;
  config: Config;
  model: Model;
  /** Aborted when the operation is cancelled, its lease is lost, or the worker has to stop. */
  signal: AbortSignal;
  totals: Totals;
  secondsSpent(): number;
  /** An empty sandbox, which belongs to whoever took it. */
  takeSandbox(): Promise<Sandbox>;
  /** Resolves when the events are on record, in their order. */
  record(...events: EventBody[]): Promise<void>;
  /** Changes the operation's state from the one this attempt last knew. */
  moveTo(state: State, message?: string): Promise<void>;
  openPullRequest(proposal: Omit<ProposalInput, 'fence'>): Promise<PullRequestRef>;
}
