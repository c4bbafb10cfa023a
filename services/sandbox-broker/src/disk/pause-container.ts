import { setTimeout } from 'node:timers/promises';
import type { Container } from 'dockerode';

const engineTimeoutMs = 10_000;
const pausesMs = [0, 200, 1_000];

/** Does the work while the container is paused; while it runs where that cannot be had. */
export async function holdStill<Result>(container: Container, work: () => Promise<Result>): Promise<Result> {
  await container.pause({ abortSignal: AbortSignal.timeout(engineTimeoutMs) }).catch(() => {});
  try {
    return await work();
  } finally {
    await letGoOn(container);
  }
}

/** One that is not paused, or gone, needs nothing. */
async function letGoOn(container: Container): Promise<void> {
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
