import { setTimeout } from 'node:timers/promises';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Stop } from '../attempt/attempt.ts';
import { RetryLater } from '../attempt/ends.ts';

const defaults = { timeoutMs: 10 * 60_000, pauseMs: 2_000 };

/** Waits while all sandboxes are in use: a slot becomes free when another operation ends. */
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
      if (!(error instanceof SandboxError && error.code === 'no_place')) throw error;
      if (performance.now() >= deadline) throw new RetryLater('sandbox_unavailable', error.message);
    }
    yieldIfAsked();
    await setTimeout(pauseMs, undefined, { signal });
  }
}
