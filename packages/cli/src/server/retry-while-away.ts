import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { CliError, exitCodes } from '../cli-error.ts';

export const reconnectBackoff = { firstMs: 200, longestMs: 3_000 };
/** How long a server may be away before the command gives up. */
export const defaultAwayTimeoutMs = 60_000;

/** Retries a read while the server is away, for example during a restart. After an interrupt the first failure is final. */
export async function retryWhileAway<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof CliError && error.exitCode === exitCodes.unavailable;
      if (!isAway || signal.aborted || performance.now() - startedAt > defaultAwayTimeoutMs) throw error;
    }
    await sleep(backoffMs(tries, reconnectBackoff), undefined, { signal }).catch(() => {});
  }
}
