/** A worker that is killed between the start of bwrap and its first output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listCgroups, makeCgroup } from '../../src/backends/bubblewrap/cgroup.ts';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { openBackend } from '../../src/choose-backend.ts';
import { findProgram } from '../../src/proc/find-program.ts';
import { findNamedProcesses } from '../../src/proc/processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const host = fileURLToPath(new URL('../../src/testing/host-process.ts', import.meta.url));
const bwrap = findProgram('bwrap', searchPath);
const wait = { timeout: 30_000, interval: 20 };

/** A bwrap that waits for a file `go` in its folder. In /tmp, because every user must be able to enter it. */
function makeWaitingBwrap(): string {
  const folder = mkdtempSync('/tmp/fettle-waiting-bwrap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `#!/bin/sh\nuntil [ -e ${folder}/go ]; do sleep 0.05; done\nexec ${bwrap} "$@"\n`;
  writeFileSync(join(folder, 'bwrap'), program, { mode: 0o755 });
  chmodSync(folder, 0o755);
  return folder;
}

/** Kills a worker whose bwrap has not begun yet. Returns the name of the sandbox that it leaves. */
async function interruptStart(folder: string): Promise<string> {
  const waitingFolder = makeWaitingBwrap();
  const env = { ...process.env, FETTLE_TEST_BACKEND: 'bubblewrap', PATH: `${waitingFolder}:${searchPath}` };
  const worker = spawn(process.execPath, [host, folder, '1'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(worker, 'exit');
  const name = await vi.waitFor(() => {
    const found = listSandboxFolders(folder)[0] ?? expect.fail('no folder yet');
    const started = findNamedProcesses(found).some(({ parent }) => parent === worker.pid);
    return started ? found : expect.fail('not started yet');
  }, wait);
  worker.kill('SIGKILL');
  await exited;
  // During exec, a process has no environment for a moment.
  await vi.waitFor(() => expect(findNamedProcesses(name)).not.toEqual([]), wait);
  writeFileSync(join(waitingFolder, 'go'), '');
  return name;
}

const listGroups = (name: string) => listCgroups((each) => each === name).map((path) => basename(path));

test.skipIf(bwrap === undefined)(
  'an interrupted start ends by itself, and the next worker removes its leftovers',
  async () => {
    const folder = makeTemporaryFolder();
    const name = await interruptStart(folder);
    await vi.waitFor(() => expect(findNamedProcesses(name)).toEqual([]), wait);

    // A process of an older version, or of a bwrap that was killed in the middle: nothing else would end it.
    const waiting = spawn('sleep', ['600'], { env: { FETTLE_TOOLBOX: name, PATH: searchPath } });
    const ended = once(waiting, 'exit');
    const backend = await openBackend('bubblewrap', { folder, searchPath });
    expect(await backend.clearLeftovers()).toEqual([name]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(listSandboxFolders(folder)).toEqual([]);
    expect(listGroups(name)).toEqual([]);

    // A cgroup whose folder is gone, as earlier versions left them.
    makeCgroup(name, defaultSandboxLimits);
    expect(await backend.clearLeftovers()).toEqual([]);
    expect(listGroups(name)).toEqual([]);
  },
);
