import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exitCodes } from '../cli-error.ts';

const firstPauseMs = 200;
const longestPauseMs = 3_000;
/** As long as a server is waited for that is away while its events are followed. */
const patienceMs = 60_000;

/**
 * Reads again while the server is away, which may be for the moment of a restart. Whoever has lost patience hears at once
 * that it is.
 */
export async function patiently<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const startedAt = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof CliError && error.exitCode === exitCodes.unavailable;
      if (!isAway || signal.aborted || performance.now() - startedAt > patienceMs) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
