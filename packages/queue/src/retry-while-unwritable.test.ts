import { expect, test } from 'vitest';
import { NotAdmittedError } from './event-stream.ts';
import { whenWritable } from './retry-while-unwritable.ts';

/** Fails for the given time. */
async function waitFor(error: Error, failingMs: number): Promise<string> {
  const startedAt = performance.now();
  const write = async () => {
    if (performance.now() - startedAt < failingMs) throw error;
    return 'written';
  };
  const { signal } = new AbortController();
  return whenWritable(write, { signal, patienceMs: 200, admissionPatienceMs: 10_000 });
}

test('a Redis that the api has not looked at is waited for as the api is', async () => {
  expect(await waitFor(new NotAdmittedError('not looked at'), 600)).toBe('written');
});

test('a Redis that cannot write is waited for, not for ever; what is wrong is not waited for', async () => {
  expect(await waitFor(new Error('OOM command not allowed'), 100)).toBe('written');
  expect(await waitFor(new Error('NOREPLICAS Not enough good replicas'), 100)).toBe('written');
  await expect(waitFor(new Error('OOM command not allowed'), 5_000)).rejects.toThrow('OOM');
  await expect(waitFor(new Error('WRONGTYPE'), 1)).rejects.toThrow('WRONGTYPE');
});
