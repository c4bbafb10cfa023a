import { GitError } from './git-error.ts';

const tails = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work with the same key in this process. The signal ends the wait, not the work. */
export async function serialize<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const previous = tails.get(key) ?? Promise.resolve();
  const result = waitFor(previous, signal).then(work);
  const tail = Promise.allSettled([previous, result]);
  tails.set(key, tail);
  try {
    return await result;
  } finally {
    tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  }
}

/** `earlier` never rejects. */
async function waitFor(earlier: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) {
    await earlier;
    return;
  }
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new GitError('cancelled', 'The wait for the mirror was cancelled.'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([stopped.promise, earlier]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
