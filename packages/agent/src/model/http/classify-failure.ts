/** Classifies a failed call: whether a retry can help, what to report, and how long to wait. */
import type { FailureReason } from '../model.ts';
import { ProxyError } from './route.ts';

/** An error status of the service. */
export class StatusError extends Error {
  override name = 'StatusError';
  readonly status: number;
  /** The service's own error code, if it has one. */
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    { status, code, retryAfter }: { status: number; code?: string; retryAfter?: string | undefined },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

export interface ModelError {
  message: string;
  /** Set if the same request would fail again. */
  end: Exclude<FailureReason, 'model_unreachable'> | undefined;
  retryAfterSeconds: number | undefined;
}

export interface Key {
  apiKey: string;
  /** The setting that holds it. */
  keyName: string;
}

const maxMessage = 500;
/** Shorter keys are placeholders for a service that needs no key. Striking them out would damage messages. */
const minKeyLength = 12;
const transientStatuses = [408, 409, 429];

/** How services report a conversation that is too long. The Messages API and many compatible servers have no code for it. */
const overflowPhrases = [
  'prompt is too long',
  'exceed context limit',
  'maximum context length',
  'context_length_exceeded',
  'context length',
  'context window',
  'context size',
];

export function classifyFailure(error: unknown, key: Key): ModelError {
  if (error instanceof StatusError) {
    const { retryAfterSeconds } = error;
    return { message: describeStatus(error, key), end: endFor(error), retryAfterSeconds };
  }
  const isRefusal = error instanceof ProxyError && (error.status === 403 || error.status === 407);
  return {
    message: describeFailure(error as Error, key),
    end: isRefusal ? 'model_rejected' : undefined,
    retryAfterSeconds: undefined,
  };
}

/** 408, 409, 429 and 5xx are transient. The service would repeat any other answer. */
function endFor({ status, code, message }: StatusError): ModelError['end'] {
  // A 429 that does not pass: the account has no credit.
  if (code === 'insufficient_quota') return 'model_rejected';
  if (status >= 500 || transientStatuses.includes(status)) return undefined;
  const text = `${code ?? ''} ${message}`.toLowerCase();
  const isOverflow =
    status === 413 || (status === 400 && overflowPhrases.some((phrase) => text.includes(phrase)));
  return isOverflow ? 'context_overflow' : 'model_rejected';
}

function describeStatus({ status, message }: StatusError, key: Key): string {
  const advice = [401, 403].includes(status) ? ` (check ${key.keyName})` : '';
  return `${status}: ${strikeOut(message, key).slice(0, maxMessage - 50)}${advice}`;
}

function describeFailure({ message, cause }: Error, key: Key): string {
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  return strikeOut(`${message}${why}`, key).slice(0, maxMessage);
}

/** A service may repeat the key, and the message is recorded. Before the cut: half a key is a leak too. */
function strikeOut(text: string, { apiKey }: Key): string {
  return apiKey.length < minKeyLength ? text : text.replaceAll(apiKey, '[the key]');
}
