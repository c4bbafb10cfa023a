/**
 * How an attempt ends. It settles its operation with an outcome, hands a plan to a person, releases the operation to
 * the next attempt, or leaves it alone when another worker or a person has taken it over.
 */
import {
  FettleError,
  type Outcome,
  type Plan,
  type ReasonCode,
  type ReleaseInput,
  reasons,
} from '@fettle/contract';
import { GitError } from '@fettle/git';
import type { Log } from '@fettle/log';
import { FencedError } from '@fettle/queue';
import { SandboxError } from '@fettle/sandbox';
import { Stopped } from './stop-switch.ts';

export type Release = Pick<ReleaseInput, 'why' | 'reason' | 'message' | 'afterMs'>;

export type AttemptEnd =
  | { kind: 'settle'; outcome: Outcome }
  | { kind: 'plan'; plan: Plan }
  | ({ kind: 'release' } & Release)
  | { kind: 'leave'; why: string };

/** An expected failure of a stage. */
export interface Failure {
  ok: false;
  outcome: Outcome;
}

export function failure(reason: ReasonCode, message: string): Failure {
  return { ok: false, outcome: failed(reason, message) };
}

export function failed(reason: ReasonCode, message: string): Outcome {
  return { kind: 'failure', reason, message };
}

/** The api accepts no longer messages. */
const maxMessage = 1_000;

/** An outside problem, such as an unreachable host: the attempt ends, and the next one starts after a pause. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly reason: ReasonCode;
  readonly afterMs: number | undefined;

  constructor(reason: ReasonCode, message: string, afterMs?: number) {
    super(message.slice(0, maxMessage));
    this.reason = reason;
    this.afterMs = afterMs;
  }
}

/** The api reports that the forge is not available: the work is on record and waits. */
function toRetryLater(error: unknown): RetryLater | undefined {
  if (error instanceof RetryLater) return error;
  if (!(error instanceof FettleError) || error.code !== 'forge_unavailable') return undefined;
  return new RetryLater('forge_unavailable', error.message, error.afterMs);
}

/** A message arrived just as the agent finished: the next attempt continues with it. */
export const messagesPending: Release = {
  why: 'handed_over',
  reason: 'message_waits',
  message: reasons.message_waits,
};

/** The api refused to go on because the agent has not seen all messages yet. */
export function isMessagesPending(error: unknown): boolean {
  return error instanceof FettleError && error.code === 'messages_pending';
}

/** Another worker or a person changed the operation during this attempt. */
export function isTakenOver(error: unknown): boolean {
  if (error instanceof FencedError) return true;
  return error instanceof FettleError && ['fenced', 'conflict', 'not_found'].includes(error.code);
}

/** The end of an attempt that threw. `signal` is the attempt's own: its reason outranks the error that it caused. */
export function endAfter(
  error: unknown,
  { signal, operationId, log }: { signal: AbortSignal; operationId: string; log: Log },
): AttemptEnd {
  const stop: unknown = signal.aborted ? signal.reason : error;
  if (stop instanceof Stopped) return endOfStopped(stop);
  if (error instanceof FettleError && error.code === 'forge_refused')
    return { kind: 'settle', outcome: failed('forge_refused', error.message.slice(0, maxMessage)) };
  if (isTakenOver(error)) return { kind: 'leave', why: (error as Error).message };
  const later = toRetryLater(error);
  if (later) {
    const { reason, message, afterMs } = later;
    log.warn({ operationId, reason, why: message }, 'attempt will be retried later');
    return { kind: 'release', why: 'went_wrong', reason, message, afterMs };
  }
  log.error({ operationId, err: error }, 'attempt failed');
  return { kind: 'release', why: 'went_wrong', reason: reasonOf(error), message: describeError(error) };
}

function endOfStopped({ cause, message }: Stopped): AttemptEnd {
  if (cause === 'cancelled' || cause === 'lease_lost') return { kind: 'leave', why: message };
  return { kind: 'release', why: 'handed_over', reason: cause, message };
}

export interface WaysToEnd {
  settle(outcome: Outcome): Promise<void>;
  release(input: Release): Promise<void>;
}

/**
 * Ends an attempt whose outcome the api did not accept. A rejected outcome is a bug, and the operation must not appear
 * to be running forever. An internal error of the api says nothing about the outcome: the next attempt reads it from
 * the record and settles again.
 */
export async function endUnsettled(error: unknown, { settle, release }: WaysToEnd): Promise<void> {
  const message = describeError(error);
  const isRejected = error instanceof FettleError && error.status < 500;
  if (isRejected) await settle(failed('internal', message));
  else await release({ why: 'went_wrong', reason: 'internal', message });
}

const diskFullSigns = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|Out of diskspace|MISCONF/i;

export function reasonOf(error: unknown): ReasonCode {
  const { message, detail = '' } = error as { message: string; detail?: string };
  if (diskFullSigns.test(`${message}\n${detail}`)) return 'disk_full';
  if (!(error instanceof SandboxError)) return 'internal';
  return ['no_place', 'unavailable', 'start_failed'].includes(error.code)
    ? 'sandbox_unavailable'
    : 'sandbox_lost';
}

/** The message that people read. The log has the whole error. */
export function describeError(error: unknown): string {
  const message = (error as Error).message.slice(0, maxMessage);
  if (error instanceof GitError || error instanceof SandboxError) return message;
  return reasonOf(error) === 'disk_full' ? reasons.disk_full : message;
}
