import { expect, test } from 'vitest';
import { NotResyncedError } from './event-stream.ts';
import { retryWhileUnwritable } from './retry-while-unwritable.ts';

/** Fails for the given time. */
async function writeAfter(error: Error, failingMs: number): Promise<string> {
  const startedAt = performance.now();
  const write = async () => {
    if (performance.now() - startedAt < failingMs) throw error;
    return 'written';
  };
  const { signal } = new AbortController();
  return retryWhileUnwritable(write, { signal, timeoutMs: 200, resyncTimeoutMs: 10_000 });
}

test('a Redis that the api has not resynced has its own, longer time limit', async () => {
  expect(await writeAfter(new NotResyncedError('not resynced'), 600)).toBe('written');
});

test('temporary errors are retried up to the time limit, other errors are not', async () => {
  expect(await writeAfter(new Error('OOM command not allowed'), 100)).toBe('written');
  expect(await writeAfter(new Error('NOREPLICAS Not enough good replicas'), 100)).toBe('written');
  await expect(writeAfter(new Error('OOM command not allowed'), 5_000)).rejects.toThrow('OOM');
  await expect(writeAfter(new Error('WRONGTYPE'), 1)).rejects.toThrow('WRONGTYPE');
});
