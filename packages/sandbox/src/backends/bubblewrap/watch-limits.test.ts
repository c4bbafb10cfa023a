import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

const parent = `
  const { spawn } = require('node:child_process');
  const start = (code) => spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'inherit'] });
  const toolbox = start('process.stdin.resume()');
  const command = start('const all = []; setInterval(() => all.push(Buffer.alloc(4e7, 1)), 20)');
  command.on('exit', (_code, signal) => console.log(JSON.stringify([signal, toolbox.exitCode ?? toolbox.signalCode])));
  process.on('SIGTERM', () => { toolbox.kill(); command.kill(); process.exit(); });
`;

test.skipIf(process.platform !== 'linux')(
  'kills the largest process of a command, and not the toolbox',
  async () => {
    const init = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void init.kill());
    const reasons: string[] = [];
    const watch = watchLimits({
      folder: makeTemporaryFolder(),
      initPid: init.pid ?? 0,
      // Far more than the shared memory of other programs, which counts here because its owner is unknown.
      limits: { ...limits, memoryBytes: 2_000 * 1024 ** 2 },
      hasCgroup: false,
      onExceeded: (reason) => void reasons.push(reason),
    });
    const [line] = await once(init.stdout, 'data');
    expect(JSON.parse(String(line))).toEqual(['SIGKILL', null]);
    expect([watch.oomKills(), ...reasons]).toEqual([1]);
    watch.stop();
  },
);
