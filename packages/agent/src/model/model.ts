import type { Usage } from '@fettle/contract';

/**
 * One piece of a model's answer. A tool call whose input was not JSON carries the fault instead of an input. Reasoning
 * goes back to the model as the `block` that it came in; null where it was cut short and the service would refuse it.
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
  /** Where the answer may not be as long as it usually may. */
  maxOutputTokens?: number;
}

/**
 * `cut` means that the answer is not whole: it reached a limit of the model's or of ours. `pause`: it goes on as soon as
 * it is sent back, with nothing said. `overflow`: the conversation has filled all that the model can read.
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
  /** What the try that failed has cost, as far as is known: a service counts what it has read. */
  lost: Usage;
}

export interface AnswerOptions {
  signal: AbortSignal;
  onRetry(retry: Retry): Promise<void>;
  /** How long an answer may still be, asked before each further try. What it throws ends the asking. */
  roomLeft?(): number;
}

export interface Model {
  readonly name: string;
  /** How much it can read at once, its own answer included. */
  readonly contextTokens: number;
  answer(request: ModelRequest, options: AnswerOptions): Promise<ModelAnswer>;
}

/** What every implementation is told. */
export interface ServiceOptions {
  model: string;
  apiKey: string;
  baseUrl: string | undefined;
  maxOutputTokens: number;
  /** In place of what is known of the model by its name. */
  contextTokens?: number | undefined;
  maxRetries: number;
  /** Silence in the middle of an answer longer than this counts as a broken stream. */
  idleMs: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The service refuses a message without content, so that an answer of which nothing can be sent has to say that. */
export const emptyAnswer = '(empty answer)';

export type FailureReason = 'model_unreachable' | 'model_rejected' | 'context_overflow';

/**
 * The model's service gives no answer: `unreachable` after all retries, `rejected` when it says no for good,
 * `context_overflow` when the conversation is longer than the model can read: the same will do, made shorter.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
  readonly reason: FailureReason;
  /** What the last try has cost all the same. */
  readonly lost: Usage;

  constructor(reason: FailureReason, message: string, lost = noUsage) {
    super(message);
    this.reason = reason;
    this.lost = lost;
  }
}
