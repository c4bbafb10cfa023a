import { setTimeout } from 'node:timers/promises';
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';
import { MustWait } from '../attempt/retry-later.ts';

const patience = { forMs: 10 * 60_000, pauseMs: 2_000 };

/** A place is free again when another operation ends, and an attempt is worth more than that while. */
export async function waitForPlace(
  take: () => Promise<Sandbox>,
  { signal, yieldIfAsked }: Pick<Work, 'signal' | 'yieldIfAsked'>,
  { forMs, pauseMs } = patience,
): Promise<Sandbox> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'no_place')) throw error;
      if (performance.now() >= until) throw new MustWait('sandbox_unavailable', error.message);
    }
    yieldIfAsked();
    await setTimeout(pauseMs, undefined, { signal });
  }
}
