import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { startSandbox } from '../src/start-sandbox.ts';
import { countProcesses, uniqueSleep } from '../src/testing/count-processes.ts';
import {
  expectRefusal,
  listSandboxFolders,
  makeTemporaryFolder,
  startTestSandbox,
} from '../src/testing/test-sandbox.ts';

it('sends a hello, and warns that it does not isolate', async () => {
  const place = { folder: makeTemporaryFolder(), searchPath: '/nowhere' };
  const sandbox = await startSandbox({ backend: 'process', ...place });
  expect(sandbox).toMatchObject({
    backend: 'process',
    warning: expect.stringContaining('without any isolation'),
    hello: {
      protocol: 3,
      node: process.version,
      platform: process.platform,
      tools: { git: false, rg: false },
    },
  });
  await sandbox.close();
});

it('refuses to start in a folder that is not empty', () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'precious'), '');
  const main = fileURLToPath(new URL('../src/toolbox/main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [main], { cwd: folder, input: '' });
  expect(status).toBe(1);
  expect(String(stderr)).toContain('empty folder');
  expect(readdirSync(folder)).toEqual(['precious']);
});

it('close() kills commands and removes the folder', async () => {
  const { sandbox, folder } = await startTestSandbox();
  const sleep = uniqueSleep();
  const started = Promise.withResolvers<void>();
  const running = sandbox.run({
    command: `setsid sleep ${sleep} & echo x; sleep ${sleep}`,
    onOutput: () => started.resolve(),
  });
  const refused = expectRefusal(running, 'ended');
  await started.promise;
  await sandbox.close();
  await refused;
  expect(countProcesses(sleep)).toBe(0);
  expect(listSandboxFolders(folder)).toEqual([]);
});

it('cleans up after a toolbox that its own command killed', async () => {
  const { sandbox, folder } = await startTestSandbox();
  const sleep = uniqueSleep();
  await expectRefusal(sandbox.run({ command: `sleep ${sleep} & kill -9 $PPID; sleep ${sleep}` }), 'ended');
  await sandbox.close();
  expect(countProcesses(sleep)).toBe(0);
  expect(listSandboxFolders(folder)).toEqual([]);
});

it('ends with its host, even if that is killed', { timeout: 60_000 }, async () => {
  const folder = makeTemporaryFolder();
  const sleep = uniqueSleep();
  const program = fileURLToPath(new URL('../src/testing/host-process.ts', import.meta.url));
  const host = spawn(process.execPath, [program, folder, sleep], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(host.stdout, 'data');
  expect(countProcesses(sleep)).toBeGreaterThanOrEqual(3);
  host.kill('SIGKILL');
  await vi.waitFor(
    () => {
      expect(countProcesses(sleep)).toBe(0);
      expect(listSandboxFolders(folder)).toEqual([]);
    },
    { timeout: 30_000, interval: 50 },
  );
});
