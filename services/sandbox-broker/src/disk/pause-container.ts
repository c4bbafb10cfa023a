import { setTimeout } from 'node:timers/promises';
import type { Container } from 'dockerode';

const engineTimeoutMs = 10_000;
const pausesMs = [0, 200, 1_000];

/** Runs `work` while the container is paused. If it cannot be paused, `work` runs anyway. */
export async function whilePaused<Result>(
  container: Container,
  work: () => Promise<Result>,
): Promise<Result> {
  await container.pause({ abortSignal: AbortSignal.timeout(engineTimeoutMs) }).catch(() => {});
  try {
    return await work();
  } finally {
    await unpause(container);
  }
}

/** Ignores a container that is not paused or no longer exists. */
async function unpause(container: Container): Promise<void> {
  let failure: unknown;
  for (const pauseMs of pausesMs) {
    await setTimeout(pauseMs);
    try {
      await container.unpause({ abortSignal: AbortSignal.timeout(engineTimeoutMs) });
      return;
    } catch (error) {
      const { statusCode, message = '' } = error as { statusCode?: number; message?: string };
      if (statusCode === 404 || statusCode === 409 || message.includes('is not paused')) return;
      failure = error;
    }
  }
  throw failure;
}
