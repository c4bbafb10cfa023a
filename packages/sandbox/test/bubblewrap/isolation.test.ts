import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { chooseBackend, openBackend } from '../../src/choose-backend.ts';
import { countProcesses, uniqueSleep } from '../../src/testing/count-processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const host = fileURLToPath(new URL('../../src/testing/host-process.ts', import.meta.url));
const probeFolder = mkdtempSync(join(tmpdir(), 'fettle-bubblewrap-'));
afterAll(() => rmSync(probeFolder, { recursive: true, force: true }));
const tried = await chooseBackend('bubblewrap', { folder: probeFolder, searchPath });
if (tried.ok) await tried.sandbox.close();
const reason = tried.ok ? '' : (tried.refusals[0]?.reason ?? '');
const test = it.skipIf(!tried.ok);

it.skipIf(tried.ok)(`bubblewrap is not tested here: ${reason}`, () => {});

/** Other test files create sandboxes at the same time. */
const isOurs = (name: string) => name.startsWith('sandbox-') && name.includes(`-${process.pid}-`);

function listGroups(): string[] {
  const kinds = ['memory', 'pids', 'cpu'].map((kind) => `/sys/fs/cgroup/${kind}`).filter(existsSync);
  return kinds.flatMap((kind) => readdirSync(kind).filter((name) => isOurs(name)));
}

test('auto chooses bubblewrap and reports what it skipped', async () => {
  const choice = await chooseBackend('auto', { folder: makeTemporaryFolder(), searchPath });
  if (!choice.ok) throw new Error(JSON.stringify(choice));
  expect([choice.backend.name, choice.backend.warning]).toEqual(['bubblewrap', undefined]);
  await choice.sandbox.close();
});

it('auto never falls back to process', async () => {
  const choice = await chooseBackend('auto', { folder: makeTemporaryFolder(), searchPath: '/nowhere' });
  expect(choice).toEqual({
    ok: false,
    refusals: [
      { name: 'docker', reason: expect.stringContaining('FETTLE_BROKER_URL is not set') },
      { name: 'bubblewrap', reason: expect.stringContaining('not on the PATH') },
    ],
  });
});

test('refuses a Fettle home that sandboxes can read', async () => {
  const link = join(makeTemporaryFolder(), 'link');
  symlinkSync('/usr/share', link);
  for (const folder of ['/usr/share/fettle-absent/sandboxes', join(link, 'fettle-absent/sandboxes')]) {
    const choice = await chooseBackend('bubblewrap', { folder, searchPath });
    const reason = `${folder} is in /usr, which every sandbox can read; move Fettle's home elsewhere`;
    expect(choice).toEqual({ ok: false, refusals: [{ name: 'bubblewrap', reason }] });
  }
  expect(existsSync('/usr/share/fettle-absent')).toBe(false);
});

test('runs 16 independent sandboxes at once and leaves nothing', async () => {
  const folder = makeTemporaryFolder();
  const sleep = uniqueSleep();
  const backend = await openBackend('bubblewrap', { folder, searchPath });
  const sandboxes = await Promise.all(Array.from({ length: 16 }, () => backend.start()));
  const outputs = await Promise.all(
    sandboxes.map(async (sandbox, index) => {
      await sandbox.writeFile('mine', Buffer.from(`number ${index}`));
      const { output } = await sandbox.run({ command: `setsid sleep ${sleep} & cat mine; ls` });
      return output;
    }),
  );
  expect(outputs).toEqual(outputs.map((_, index) => `number ${index}mine\n`));
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  expect([countProcesses(sleep), listSandboxFolders(folder), listGroups()]).toEqual([0, [], []]);
});

test('leaves nothing after its worker is killed and the next one has cleaned up', async () => {
  const folder = makeTemporaryFolder();
  const sleep = uniqueSleep();
  const environment = { ...process.env, FETTLE_TEST_BACKEND: 'bubblewrap' };
  const worker = spawn(process.execPath, [host, folder, sleep], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  expect(countProcesses(sleep)).toBeGreaterThanOrEqual(3);
  worker.kill('SIGKILL');
  await vi.waitFor(() => expect(countProcesses(sleep)).toBe(0), { timeout: 30_000, interval: 50 });
  const backend = await openBackend('bubblewrap', { folder, searchPath });
  expect(await backend.clearLeftovers()).toHaveLength(1);
  expect(listSandboxFolders(folder)).toEqual([]);
});

test('shows a read-only folder in a home that only its owner can enter', async () => {
  const inHome = mkdtempSync(join(homedir(), 'fettle-toolchain-'));
  onTestFinished(() => rmSync(inHome, { recursive: true, force: true }));
  const tools = join(inHome, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'version'), '1.2.3');
  const backend = await openBackend('bubblewrap', {
    ...{ folder: makeTemporaryFolder(), searchPath, readOnly: [tools] },
  });
  const sandbox = await backend.start();
  const { output } = await sandbox.run({ command: `cat ${tools}/version; ls ${inHome}; touch ${tools}/new` });
  await sandbox.close();
  expect(output).toMatch(/^1\.2\.3tools\n.*Read-only file system/);
});

test('is killed when it uses too much disk', async () => {
  const limits = { ...defaultSandboxLimits, diskBytes: 100 * 1024 ** 2 };
  const backend = await openBackend('bubblewrap', { folder: makeTemporaryFolder(), searchPath, limits });
  const full = await backend.start();
  const fill = 'i=0; while [ $i -lt 40 ]; do head -c 10000000 /dev/zero > f$i; i=$((i+1)); done; sleep 60';
  await expect(full.run({ command: fill })).rejects.toMatchObject({
    code: 'ended',
    message: expect.stringContaining('100 MB of disk'),
  });
  await full.close();
  const next = await backend.start();
  expect((await next.run({ argv: ['echo', 'alive'] })).output).toBe('alive\n');
  await next.close();
  expect(listGroups()).toEqual([]);
});

test('removes folders without permissions and paths that are too long', async () => {
  const folder = makeTemporaryFolder();
  const backend = await openBackend('bubblewrap', { folder, searchPath });
  const sandbox = await backend.start();
  const deep = 'i=0; while [ $i -lt 600 ]; do mkdir dddddddddd && cd dddddddddd || break; i=$((i+1)); done';
  const { exitCode } = await sandbox.run({ command: `mkdir -p shut/in && chmod 000 shut && ${deep}; true` });
  expect(exitCode).toBe(0);
  await sandbox.close();
  expect(listSandboxFolders(folder)).toEqual([]);
});
