import type { EventBody } from '@fettle/contract';
import { appendEvents, claimKey, type Redis, retryWhileUnwritable } from '@fettle/queue';
import type { Redaction } from '@fettle/secrets';
import { redactEvent } from '../secrets/redact-event.ts';
import { apiTimeoutMs } from './api-client.ts';

/** How long to wait for a Redis that is reachable but cannot write. */
const redisTimeoutMs = 2 * 60_000;

export interface AppenderOptions {
  redis: Redis;
  operationId: string;
  fence: number;
  redaction: Redaction;
  signal: AbortSignal;
  /** Called with events once they are on record. */
  onAppended(events: EventBody[]): void;
}

/** Appends the events of one attempt to the operation's record, one batch after another in the order of the calls. */
export function createAppender(options: AppenderOptions) {
  const { redis, operationId, fence, redaction, signal, onAppended } = options;
  let batches = 0;
  // Each batch names the one before it, so that Redis refuses to continue after lost events: a resumed attempt could
  // not tell that there is a hole.
  let acknowledged = claimKey(fence);
  let latest = Promise.resolve();

  async function appendBatch(events: EventBody[]): Promise<void> {
    signal.throwIfAborted();
    const key = `${fence}.${++batches}`;
    const redacted = events.map((event) => redactEvent(redaction, event));
    const send = () => appendEvents(redis, operationId, redacted, { key, fence, after: acknowledged });
    const limits = { signal, timeoutMs: redisTimeoutMs, resyncTimeoutMs: apiTimeoutMs };
    await untilAborted(retryWhileUnwritable(send, limits), signal);
    if (events.length > 0) acknowledged = key;
    onAppended(events);
  }

  return (...events: EventBody[]): Promise<void> => {
    const appending = latest.then(() => appendBatch(events));
    latest = appending.catch(() => {});
    return appending;
  };
}

/** While Redis is unreachable a write waits, but a stop must not. */
async function untilAborted(writing: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([writing, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    writing.catch(() => {});
  }
}
