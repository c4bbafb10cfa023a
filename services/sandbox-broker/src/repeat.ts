import { setTimeout } from 'node:timers/promises';

export interface Repeating {
  stop(): Promise<void>;
}

/** Again and again with a pause between, which is at least ten times as long as the work took; never two at once. */
export function every(
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
