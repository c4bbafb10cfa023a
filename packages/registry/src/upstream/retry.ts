import { setTimeout } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { type DownloadLimits, PermanentRegistryFailure, RegistryFailure } from './download.ts';

/** Tries again, after a pause, when the registry could not be reached or sent an invalid response. */
export async function retry<T>(
  { most, ...backoff }: DownloadLimits['retries'],
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < most; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const canRetry = error instanceof RegistryFailure && !(error instanceof PermanentRegistryFailure);
      if (!canRetry || signal.aborted) throw error;
      await setTimeout(backoffMs(tries, backoff), undefined, { signal });
    }
  }
  return attempt();
}
