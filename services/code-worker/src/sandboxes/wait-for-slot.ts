import { setTimeout } from 'node:timers/promises';
import { type Sandbox, SandboxError, type SandboxErrorCode } from '@fettle/sandbox';
import type { Stop } from '../attempt/attempt.ts';
import { RetryLater } from '../attempt/ends.ts';

const passing: SandboxErrorCode[] = ['no_place', 'unavailable'];
const defaults = { timeoutMs: 10 * 60_000, pauseMs: 2_000 };

/**
 * Waits while all sandboxes are in use, because a slot becomes free when another operation ends, and while the broker or
 * its engine does not answer, for example during a restart.
 */
export async function waitForSlot(
  take: () => Promise<Sandbox>,
  { signal, yieldIfAsked }: Pick<Stop, 'signal' | 'yieldIfAsked'>,
  { timeoutMs, pauseMs } = defaults,
): Promise<Sandbox> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof SandboxError && passing.includes(error.code))) throw error;
      if (performance.now() >= deadline) {
        // Another worker may reach its broker.
        const why = error.code === 'unavailable' ? 'waits' : 'went_wrong';
        throw new RetryLater('sandbox_unavailable', error.message, { why });
      }
    }
    yieldIfAsked();
    await setTimeout(pauseMs, undefined, { signal });
  }
}
