/** Something that ends when it should not: started again with growing pauses, or reported once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliError } from '../cli-error.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Who lived that long starts again with a short pause. */
const steadyMs = 60_000;

export interface Running {
  exited: Promise<CliError>;
  stop(): Promise<void>;
}

export interface KeepOptions {
  /** Resolves when it does its work; ends what it began when the signal says so. */
  start(signal: AbortSignal): Promise<Running>;
  /** Called with why it ended and, where it will be started again, after which pause. */
  onEnd(error: CliError, pauseMs: number | undefined): void;
  restart: boolean;
  signal: AbortSignal;
}

export interface Kept {
  stop(): Promise<void>;
}

/** A failure of the first start is the caller's; every later one counts as an end. */
async function keepRunning({ start, onEnd, restart, signal }: KeepOptions): Promise<Kept> {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  let current: Running | undefined = await start(either);

  async function watch(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (current) {
      const startedAt = performance.now();
      const error = await current.exited;
      if (either.aborted) return;
      if (performance.now() - startedAt > steadyMs) pauseMs = firstPauseMs;
      onEnd(error, restart ? pauseMs : undefined);
      if (!restart) return;
      await sleep(pauseMs, undefined, { signal: either }).catch(() => {});
      if (either.aborted) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      current = await start(either).catch(endedAtOnce);
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

/** Starts several at the same time; when one fails, the others are ended before it is told. */
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

function endedAtOnce(error: CliError): Running {
  return { exited: Promise.resolve(error), stop: async () => {} };
}
