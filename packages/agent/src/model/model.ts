import type { Usage } from '@fettle/contract';

/** One piece of a model's answer. A tool call whose input was not JSON carries the fault instead of an input. */
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

/** `cut` means that the answer is not whole: it reached a limit of the model's or of ours. */
export type StopReason = 'end' | 'tool' | 'cut' | 'refusal';

export interface ModelAnswer {
  model: string;
  blocks: Block[];
  stopReason: StopReason;
  usage: Usage;
}

export interface AnswerOptions {
  signal: AbortSignal;
  onRetry(retry: { retry: number; message: string; pauseMs: number }): Promise<void>;
}

export interface Model {
  readonly name: string;
  answer(request: ModelRequest, options: AnswerOptions): Promise<ModelAnswer>;
}

export type ModelFailureReason = 'model_unreachable' | 'model_rejected' | 'context_overflow';

/**
 * The model's service cannot be used: `unreachable` after all retries, `rejected` when it says no for good,
 * `context_overflow` when it was sent more than it can take in.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
  readonly reason: ModelFailureReason;

  constructor(reason: ModelFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
