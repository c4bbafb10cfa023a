import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { watchLimits } from './watch-limits.ts';

const limits = { ...defaultSandboxLimits, memoryBytes: Number.MAX_SAFE_INTEGER };

test.skipIf(process.platform !== 'linux')('kills a sandbox whose limits cannot be checked', async () => {
  const folder = makeTemporaryFolder();
  const { promise: reason, resolve: onExceeded } = Promise.withResolvers<string>();
  const watch = watchLimits({ folder, initPid: process.pid, limits, hasCgroup: true, onExceeded });
  rmSync(folder, { recursive: true });
  expect(await reason).toMatch(/^its limits cannot be checked: ENOENT/);
  watch.stop();
});

test.skipIf(process.platform !== 'linux')('does not check a sandbox that has been stopped', async () => {
  const folder = makeTemporaryFolder();
  const reasons: string[] = [];
  const onExceeded = (reason: string) => void reasons.push(reason);
  const watch = watchLimits({ folder, initPid: process.pid, limits, hasCgroup: true, onExceeded });
  watch.stop();
  rmSync(folder, { recursive: true });
  await setTimeout(1_000);
  expect(reasons).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('checks memory while a check of the disk hangs', async () => {
  const grow = 'process.stdin.once("data", () => { globalThis.all = Buffer.alloc(3e8, 1); })';
  const init = spawn(process.execPath, ['-e', grow], { stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(() => void init.kill('SIGKILL'));
  const folder = makeTemporaryFolder();
  const { promise: paused, resolve: onPause } = Promise.withResolvers<void>();
  const { promise: reason, resolve: onExceeded } = Promise.withResolvers<string>();
  const watch = watchLimits({
    folder,
    initPid: init.pid ?? 0,
    limits: { ...limits, memoryBytes: 250 * 1024 ** 2, diskBytes: 1024 ** 2 },
    hasCgroup: true,
    pauseSandbox: () => new Promise(() => onPause()),
    onExceeded,
  });
  // Another user's growth makes the audit pause the sandbox to look for hidden files.
  writeFileSync(join(makeTemporaryFolder(), 'large'), Buffer.alloc(64 * 1024 ** 2, 1));
  await paused;
  init.stdin.write('now');
  expect(await reason).toBe('it used more than 250 MB of memory');
  watch.stop();
});
