/** What a failed call means: whether it may pass, what to say of it, and how long to wait. */
import type { FailureReason } from '../model.ts';
import { StatusError } from './status-error.ts';

export interface Trouble {
  message: string;
  /** Set where the same request would fail again. */
  end: Exclude<FailureReason, 'model_unreachable'> | undefined;
  retryAfterSeconds: number | undefined;
}

export interface Key {
  apiKey: string;
  /** The setting that holds it. */
  keyName: string;
}

const longestMessage = 500;
/** Where a service needs no key, some word stands for it, and may be said. */
const leastSecret = 12;
const passing = [408, 409, 429];

/** How services say that a conversation is too long; the Messages API and many compatible servers have no code for it. */
const overflowSigns = [
  'prompt is too long',
  'exceed context limit',
  'maximum context length',
  'context_length_exceeded',
  'context length',
  'context window',
  'context size',
];

export function judgeTrouble(error: unknown, key: Key): Trouble {
  if (error instanceof StatusError) {
    const { retryAfterSeconds } = error;
    return { message: describeRefusal(error, key), end: judgeRefusal(error), retryAfterSeconds };
  }
  return { message: describeFailure(error as Error, key), end: undefined, retryAfterSeconds: undefined };
}

/** 408, 409, 429 and 5xx pass; every other answer of the service will be the same next time. */
function judgeRefusal({ status, code, message }: StatusError): Trouble['end'] {
  // A 429 that no waiting mends: the account is empty.
  if (code === 'insufficient_quota') return 'model_rejected';
  if (status >= 500 || passing.includes(status)) return undefined;
  const words = `${code ?? ''} ${message}`.toLowerCase();
  const overflows = status === 413 || (status === 400 && overflowSigns.some((sign) => words.includes(sign)));
  return overflows ? 'context_overflow' : 'model_rejected';
}

function describeRefusal({ status, message }: StatusError, key: Key): string {
  const advice = [401, 403].includes(status) ? ` (check ${key.keyName})` : '';
  return `${status}: ${strikeOut(message, key).slice(0, longestMessage - 50)}${advice}`;
}

function describeFailure({ message, cause }: Error, key: Key): string {
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  return strikeOut(`${message}${why}`, key).slice(0, longestMessage);
}

/** A service may repeat the key, and what is said here goes on record. Before anything is cut: half a key is one too. */
function strikeOut(text: string, { apiKey }: Key): string {
  return apiKey.length < leastSecret ? text : text.replaceAll(apiKey, '[the key]');
}
