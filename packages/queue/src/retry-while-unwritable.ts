import { setTimeout as delay } from 'node:timers/promises';
import { NotAdmittedError } from './event-stream.ts';

/** Answers of a Redis that is there and cannot write just now: its disk is full, it loads, it is short of memory or of copies. */
const passing = /^(MISCONF|LOADING|READONLY|OOM|BUSY|TRYAGAIN|NOREPLICAS|MASTERDOWN|CLUSTERDOWN)\b/;
const longestPauseMs = 5_000;

export interface WaitOptions {
  signal: AbortSignal;
  /** How long a Redis is waited for that cannot write. */
  patienceMs: number;
  /** How long the api is waited for, without whose look nothing is written to a Redis that was started anew. */
  admissionPatienceMs: number;
}

/** Does it again with growing pauses while Redis says that it cannot write. */
export async function whenWritable<T>(
  write: () => Promise<T>,
  { signal, patienceMs, admissionPatienceMs }: WaitOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const isNotAdmitted = error instanceof NotAdmittedError;
      const limitMs = isNotAdmitted ? admissionPatienceMs : patienceMs;
      const mayPass = isNotAdmitted || passing.test((error as Error).message);
      if (!mayPass || performance.now() - startedAt > limitMs) throw error;
      const pauseMs = Math.min(100 * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2);
      await delay(pauseMs, undefined, { signal });
    }
  }
}
