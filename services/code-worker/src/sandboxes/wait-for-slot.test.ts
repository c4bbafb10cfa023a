import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxError, startSandbox } from '@fettle/sandbox';
import { afterEach, expect, test } from 'vitest';
import { Stopped } from '../attempt/stopped.ts';
import { waitForPlace } from './wait-for-slot.ts';

const folder = mkdtempSync(join(tmpdir(), 'place-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const attempt = { signal: new AbortController().signal, yieldIfAsked: () => {} };
const brief = { forMs: 1_000, pauseMs: 10 };

/** Refuses so often, and then has a place. */
function takeAfter(refusals: number) {
  return async () => {
    if (refusals-- > 0) throw new SandboxError('no_place', 'there are 2 sandboxes, which is the limit');
    return startSandbox({ backend: 'process', folder });
  };
}

test('a place that becomes free is taken', async () => {
  const sandbox = await waitForPlace(takeAfter(3), attempt, brief);
  expect((await sandbox.run({ command: 'echo alive' })).output).toBe('alive\n');
  await sandbox.close();
});

test('one that does not become free ends the attempt with what to wait for', async () => {
  const waiting = waitForPlace(takeAfter(Number.POSITIVE_INFINITY), attempt, { forMs: 50, pauseMs: 10 });
  await expect(waiting).rejects.toMatchObject({
    name: 'MustWait',
    reason: 'sandbox_unavailable',
    message: 'there are 2 sandboxes, which is the limit',
  });
});

test('another failure is not waited for, nor is a place by an attempt that is to end', async () => {
  const broken = async () => {
    throw new SandboxError('start_failed', 'no engine');
  };
  await expect(waitForPlace(broken, attempt, brief)).rejects.toThrow('no engine');
  const yieldIfAsked = () => {
    throw new Stopped('paused');
  };
  await expect(waitForPlace(takeAfter(1), { ...attempt, yieldIfAsked }, brief)).rejects.toThrow(Stopped);
  const aborted = AbortSignal.abort();
  await expect(waitForPlace(takeAfter(1), { ...attempt, signal: aborted }, brief)).rejects.toThrow('abort');
});
