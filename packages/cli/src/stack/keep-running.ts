/** Restarts a service that exits unexpectedly, with exponential backoff, or reports its exit once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import type { CliError } from '../cli-error.ts';

const backoff = { firstMs: 500, longestMs: 30_000 };
/** After running this long, the backoff starts over. */
const steadyMs = 60_000;

export interface Running {
  exited: Promise<CliError>;
  stop(): Promise<void>;
}

export interface KeepOptions {
  /** Resolves when the service is ready. Stops what it started when the signal aborts. */
  start(signal: AbortSignal): Promise<Running>;
  /** `pauseMs` is the pause before the restart. Undefined if the service is not restarted. */
  onExit(error: CliError, pauseMs: number | undefined): void;
  restart: boolean;
  signal: AbortSignal;
}

export interface Kept {
  stop(): Promise<void>;
}

/** Rejects if the first start fails. A later failed start counts as an exit. */
async function keepRunning({ start, onExit, restart, signal }: KeepOptions): Promise<Kept> {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  let current: Running | undefined = await start(either);

  async function watch(): Promise<void> {
    let tries = 0;
    while (current) {
      const startedAt = performance.now();
      const error = await current.exited;
      if (either.aborted) return;
      if (performance.now() - startedAt > steadyMs) tries = 0;
      const pauseMs = backoffMs(tries, backoff);
      onExit(error, restart ? pauseMs : undefined);
      if (!restart) return;
      await sleep(pauseMs, undefined, { signal: either }).catch(() => {});
      if (either.aborted) return;
      tries += 1;
      current = await start(either).catch(exitedAtOnce);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}

/** Starts several services at the same time. If one fails, the others are stopped before this rejects. */
export async function keepTogether(
  starts: KeepOptions['start'][],
  keep: Omit<KeepOptions, 'start'>,
): Promise<Kept[]> {
  const failed = new AbortController();
  const started = starts.map(async (start) => {
    const either = (signal: AbortSignal) => start(AbortSignal.any([signal, failed.signal]));
    try {
      return await keepRunning({ ...keep, start: either });
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const results = await Promise.allSettled(started);
  const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (kept.length === starts.length) return kept;
  for (const each of kept.toReversed()) await each.stop();
  throw failed.signal.reason;
}

function exitedAtOnce(error: CliError): Running {
  return { exited: Promise.resolve(error), stop: async () => {} };
}
