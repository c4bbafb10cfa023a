import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { defaultSandboxLimits } from '../limits.ts';
import { watchLimits } from './watch-limits.ts';

const limits = { ...defaultSandboxLimits, memoryBytes: Number.MAX_SAFE_INTEGER };

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

test.skipIf(process.platform !== 'linux')(
  'memory is looked at also while a look at the disk takes for ever',
  async () => {
    const grow = 'process.stdin.once("data", () => { globalThis.all = Buffer.alloc(3e8, 1); })';
    const head = spawn(process.execPath, ['-e', grow], { stdio: ['pipe', 'ignore', 'inherit'] });
    onTestFinished(() => void head.kill('SIGKILL'));
    const folder = makeTemporaryFolder();
    const { promise: looking, resolve: onLook } = Promise.withResolvers<void>();
    const { promise: reason, resolve: onExceeded } = Promise.withResolvers<string>();
    const watch = watchLimits({
      folder,
      head: head.pid ?? 0,
      limits: { ...limits, memoryBytes: 250 * 1024 ** 2, diskBytes: 1024 ** 2 },
      isGrouped: true,
      holdStill: () => new Promise(() => onLook()),
      onExceeded,
    });
    // Lost to somebody else, so that the sandbox is held still to look for it.
    writeFileSync(join(makeTemporaryFolder(), 'large'), Buffer.alloc(64 * 1024 ** 2, 1));
    await looking;
    head.stdin.write('now');
    expect(await reason).toBe('it used more than 250 MB of memory');
    watch.stop();
  },
);
