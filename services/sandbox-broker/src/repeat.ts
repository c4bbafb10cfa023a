import { setTimeout } from 'node:timers/promises';

export interface Repeating {
  stop(): Promise<void>;
}

/** Repeats the work, one run at a time. The pause is at least ten times as long as the last run. */
export function repeat(
  pauseMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeating {
  const stopping = new AbortController();
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      await work().catch(onError);
      const pause = Math.max(pauseMs, 10 * (performance.now() - started));
      await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
