import { SandboxError, type SandboxErrorCode, startSandbox } from '@fettle/sandbox';
import { expect, test } from 'vitest';
import { Stopped } from '../attempt/stop-switch.ts';
import { openFolder } from '../testing/open-folder.ts';
import { waitForSlot } from './wait-for-slot.ts';

const stop = { signal: new AbortController().signal, yieldIfAsked: () => {} };
const limits = { timeoutMs: 1_000, pauseMs: 10 };

function takeAfter(refusals: number, code: SandboxErrorCode = 'no_place') {
  return async () => {
    if (refusals-- > 0) throw new SandboxError(code, 'there are 2 sandboxes, which is the limit');
    return startSandbox({ backend: 'process', folder: openFolder() });
  };
}

test('takes a slot that becomes free', async () => {
  const sandbox = await waitForSlot(takeAfter(3), stop, limits);
  expect((await sandbox.run({ command: 'echo alive' })).output).toBe('alive\n');
  await sandbox.close();
});

test('waits for a broker that does not answer', async () => {
  const sandbox = await waitForSlot(takeAfter(3, 'unavailable'), stop, limits);
  await sandbox.close();
});

test('after the timeout, the attempt is retried later', async () => {
  const waiting = waitForSlot(takeAfter(Number.POSITIVE_INFINITY), stop, { timeoutMs: 50, pauseMs: 10 });
  await expect(waiting).rejects.toMatchObject({
    name: 'RetryLater',
    reason: 'sandbox_unavailable',
    message: 'there are 2 sandboxes, which is the limit',
  });
});

test('does not wait after another failure, nor in an attempt that has to end', async () => {
  const broken = async () => {
    throw new SandboxError('start_failed', 'no engine');
  };
  await expect(waitForSlot(broken, stop, limits)).rejects.toThrow('no engine');
  const yieldIfAsked = () => {
    throw new Stopped('paused');
  };
  await expect(waitForSlot(takeAfter(1), { ...stop, yieldIfAsked }, limits)).rejects.toThrow(Stopped);
  const aborted = AbortSignal.abort();
  await expect(waitForSlot(takeAfter(1), { ...stop, signal: aborted }, limits)).rejects.toThrow('abort');
});
