/** What the loop gets and how it ends. In its own file because the modules that the loop calls need these types too. */
import type { Agent, Budgets, EventBody, ReasonCode, Said } from '@fettle/contract';
import type { CostOf } from '../budget/budget.ts';
import type { CallEnvironment } from '../calls/call-tool.ts';
import type { FinishedCall } from '../calls/run-calls.ts';
import type { Model } from '../model/model.ts';
import type { RepetitionVerdict } from '../repetition/escalate.ts';
import type { RepetitionWatch } from '../repetition/watch.ts';
import type { Conversation } from './conversation.ts';

/** The model's context window, and when to compact the conversation. */
export interface ContextWindow {
  tokens: number;
  /** The share of the window at which the conversation is compacted. */
  compactAt: number;
  /** How much of the newest turns a compaction keeps unchanged. */
  keepTokens: number;
}

export interface TurnOptions extends CallEnvironment {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  costOf: CostOf;
  window: ContextWindow;
  /** The longest answer. */
  maxOutputTokens: number;
  /** The number of this round, starting at 1. */
  round: number;
  /** Which agent these turns belong to, if not the main agent. */
  by?: Agent;
  /** Detects repetition. */
  repetition?: RepetitionWatch;
  /** Whether a finished call ends the round. */
  isDone?(call: FinishedCall): boolean;
  /** Seconds spent on this operation, over all attempts. */
  secondsSpent(): number;
  /** Resolves when the events are recorded: all of them in order, or none. */
  record(...events: EventBody[]): Promise<void>;
  /** Messages from people that no recorded turn contains yet, in order. Returns the same ones until a turn is recorded. */
  takeMessages(): Promise<Said[]>;
  /** Whether to stop before the next turn, when no paid answer would be lost. */
  shouldYield(): boolean;
  signal: AbortSignal;
}

export interface Stopped {
  kind: 'stopped';
  reason: ReasonCode;
  message: string;
  /** The last text of the agent, which shows how far it believed it was. */
  lastText?: string | undefined;
}
export type TurnsEnd = { kind: 'done'; text: string } | Stopped | { kind: 'yielded' };

/** The start of a round: with a new user message, or where an earlier attempt stopped. */
export interface TurnsStart {
  /** The user message before the first turn: the request, failed checks, or nothing. */
  userMessage?: string | undefined;
  /** The numbers of the messages from people that it contains. */
  messages?: number[];
  /** How many of the latest answers in a row were cut off. */
  cutAnswers?: number;
  /** The verdict on the last recorded turn, if the model has not seen it yet. */
  verdict?: RepetitionVerdict | undefined;
}
