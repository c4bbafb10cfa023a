import { setTimeout } from 'node:timers/promises';
import type { Container } from 'dockerode';

const LIMIT_MS = 10_000;
const PAUSES_MS = [0, 200, 1_000];

/** Does the work while the container is paused; while it runs where that cannot be had. */
export async function holdStill<Result>(container: Container, work: () => Promise<Result>): Promise<Result> {
  await container.pause({ abortSignal: AbortSignal.timeout(LIMIT_MS) }).catch(() => {});
  try {
    return await work();
  } finally {
    await letGoOn(container);
  }
}

/** One that is not paused, or gone, needs nothing. */
async function letGoOn(container: Container): Promise<void> {
  let failure: unknown;
  for (const pauseMs of PAUSES_MS) {
    await setTimeout(pauseMs);
    try {
      await container.unpause({ abortSignal: AbortSignal.timeout(LIMIT_MS) });
      return;
    } catch (error) {
      const { statusCode, message = '' } = error as { statusCode?: number; message?: string };
      if (statusCode === 404 || statusCode === 409 || message.includes('is not paused')) return;
      failure = error;
    }
  }
  throw failure;
}
