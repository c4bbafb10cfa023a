import type { Usage } from '@fettle/contract';
import type { ProxySettings } from './http/route.ts';

/**
 * One piece of a model's answer. A tool call with an invalid input has a `fault`. Reasoning is sent back as the original
 * `block`, which is null if it was cut off and the service would reject it.
 */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string; block: unknown }
  | { kind: 'tool'; callId: string; tool: string; input: unknown; fault?: string };

export type UserItem =
  | { kind: 'text'; text: string }
  | { kind: 'result'; callId: string; output: string; isError: boolean };

export type Message =
  | { role: 'user'; items: UserItem[] }
  | { role: 'assistant'; turn: number; blocks: Block[] };

export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface ModelRequest {
  system: string;
  tools: ToolDescription[];
  messages: Message[];
  /** If the answer must be shorter than usual. */
  maxOutputTokens?: number;
}

/**
 * `cut`: the answer is incomplete, because it reached a limit of the model or one of ours. `pause`: the model continues
 * when its answer is sent back without a user message. `overflow`: the context window is full.
 */
export type StopReason = 'end' | 'tool' | 'cut' | 'pause' | 'overflow' | 'refusal';

export interface ModelAnswer {
  model: string;
  blocks: Block[];
  stopReason: StopReason;
  usage: Usage;
}

export interface Retry {
  retry: number;
  message: string;
  pauseMs: number;
  /** The cost of the failed try, as far as it is known: services charge for what they have read. */
  lost: Usage;
}

export interface AnswerOptions {
  signal: AbortSignal;
  onRetry(retry: Retry): Promise<void>;
  /** Called before each retry: the longest answer that is still allowed. An error that it throws ends the retries. */
  roomLeft?(): number;
}

export interface Model {
  readonly name: string;
  /** The context window, including the answer. */
  readonly contextTokens: number;
  answer(request: ModelRequest, options: AnswerOptions): Promise<ModelAnswer>;
}

/** The options of every implementation. */
export interface ServiceOptions {
  model: string;
  apiKey: string;
  baseUrl: string | undefined;
  maxOutputTokens: number;
  /** Overrides the context window that is known for the model. */
  contextTokens?: number | undefined;
  maxRetries: number;
  /** A stream that is silent for longer than this counts as broken. */
  idleMs: number;
  proxy?: ProxySettings | undefined;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Stands for an answer of which nothing can be sent back, because services reject a message without content. */
export const emptyAnswer = '(empty answer)';

export type FailureReason = 'model_unreachable' | 'model_rejected' | 'context_overflow';

/**
 * The service did not answer: `model_unreachable` after all retries, `model_rejected` if a retry cannot help,
 * `context_overflow` if the conversation must be shortened first.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
  readonly reason: FailureReason;
  /** The cost of the last try. */
  readonly lost: Usage;

  constructor(reason: FailureReason, message: string, lost = noUsage) {
    super(message);
    this.reason = reason;
    this.lost = lost;
  }
}

/** Replaces characters that services reject in tool names: one invalid name would make the whole conversation unusable. */
export function sendableName(tool: string): string {
  return tool.slice(0, 64).replace(/[^a-zA-Z0-9_-]/g, '_') || 'unnamed';
}
