import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../fixtures/test-sandbox.ts';
import { DEFAULT_SANDBOX_LIMITS } from '../limits.ts';
import { watchLimits } from './watch-limits.ts';

const limits = { ...DEFAULT_SANDBOX_LIMITS, memoryBytes: Number.MAX_SAFE_INTEGER };

test.skipIf(process.platform !== 'linux')('a sandbox that cannot be watched is ended', async () => {
  const folder = makeTemporaryFolder();
  const { promise: reason, resolve: onExceeded } = Promise.withResolvers<string>();
  const watch = watchLimits({ folder, head: process.pid, limits, isGrouped: true, onExceeded });
  rmSync(folder, { recursive: true });
  expect(await reason).toMatch(/^it cannot be watched: ENOENT/);
  watch.stop();
});

test.skipIf(process.platform !== 'linux')('one that has ended is no longer watched', async () => {
  const folder = makeTemporaryFolder();
  const reasons: string[] = [];
  const onExceeded = (reason: string) => void reasons.push(reason);
  const watch = watchLimits({ folder, head: process.pid, limits, isGrouped: true, onExceeded });
  watch.stop();
  rmSync(folder, { recursive: true });
  await setTimeout(1_000);
  expect(reasons).toEqual([]);
});
