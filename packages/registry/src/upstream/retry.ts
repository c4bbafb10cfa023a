import { setTimeout } from 'node:timers/promises';
import { RegistryAway, RegistryUnfit } from './download.ts';

/** Tries again when the registry did not behave, after each of the pauses. */
export async function retry<T>(
  pausesMs: number[],
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt();
    } catch (error) {
      const isWorthIt = error instanceof RegistryAway && !(error instanceof RegistryUnfit);
      if (!isWorthIt || signal.aborted) throw error;
      await setTimeout(pauseMs, undefined, { signal });
    }
  }
  return attempt();
}
