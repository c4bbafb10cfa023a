import { releaseInputSchema } from '@fettle/contract';
import { GitError } from '@fettle/git';
import { StreamNotOpenError } from '@fettle/queue';
import { SandboxError } from '@fettle/sandbox';
import { expect, test } from 'vitest';
import { describeError, reasonOf } from './explain-error.ts';

const sentence = 'There is no room left on the disk.';

test.each([
  ['disk_full', sentence, new Error('ENOSPC: no space left on device, write')],
  ['disk_full', sentence, new Error('MISCONF Errors writing to the AOF file: No space left on device')],
  ['disk_full', 'No room.', new GitError('disk_full', 'No room.', { detail: 'Out of diskspace' })],
  ['sandbox_lost', 'it ended', new SandboxError('ended', 'it ended')],
  ['internal', 'Redis lost events', new StreamNotOpenError('Redis lost events')],
])('%s: %s', (reason, message, error) => {
  expect({ reason: reasonOf(error), message: describeError(error) }).toEqual({ reason, message });
});

test.each([
  new Error('x'.repeat(5_000)),
  new GitError('failed', `git fetch failed: ${'x'.repeat(5_000)}`),
  new SandboxError('start_failed', 'x'.repeat(5_000)),
])('however much $name says, the api takes it', (error) => {
  const totals = { parts: 0, turns: 0, tokens: 0, usd: 0 };
  const release = { fence: 1, from: 'acting', why: 'went_wrong', reason: reasonOf(error), totals };
  const { success } = releaseInputSchema.safeParse({ ...release, message: describeError(error) });
  expect(success).toBe(true);
});
