// A worker that is killed between starting bwrap and hearing from it.
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

/** A folder with a bwrap that starts once there is a file `go` beside it; where every user can get to it. */
function makePatientBwrap(): string {
  const folder = mkdtempSync('/tmp/fettle-patient-bwrap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `#!/bin/sh\nuntil [ -e ${folder}/go ]; do sleep 0.05; done\nexec ${bwrap} "$@"\n`;
  writeFileSync(join(folder, 'bwrap'), program, { mode: 0o755 });
  chmodSync(folder, 0o755);
  return folder;
}

/** Kills a worker that has started a bwrap which has not begun; gives the name of the sandbox that it leaves. */
async function cutOffStart(folder: string): Promise<string> {
  const patient = makePatientBwrap();
  const env = { ...process.env, FETTLE_TEST_BACKEND: 'bubblewrap', PATH: `${patient}:${searchPath}` };
  const worker = spawn(process.execPath, [host, folder, '1'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(worker, 'exit');
  const name = await vi.waitFor(() => {
    const found = listSandboxFolders(folder)[0] ?? expect.fail('it has no folder yet');
    const started = findNamedProcesses(found).some(({ parent }) => parent === worker.pid);
    return started ? found : expect.fail('it has not started yet');
  }, wait);
  worker.kill('SIGKILL');
  await exited;
  // Not at once: what becomes another program has no environment for a moment.
  await vi.waitFor(() => expect(findNamedProcesses(name)).not.toEqual([]), wait);
  writeFileSync(join(patient, 'go'), '');
  return name;
}

const listGroups = (name: string) => listCgroups((each) => each === name).map((path) => basename(path));

test.skipIf(bwrap === undefined)(
  'a start that was cut off ends by itself, and the next worker clears away what it left',
  async () => {
    const folder = makeTemporaryFolder();
    const name = await cutOffStart(folder);
    await vi.waitFor(() => expect(findNamedProcesses(name)).toEqual([]), wait);

    // Of an older version, or killed between two words of bwrap's: one that has nobody to end it.
    const waiting = spawn('sleep', ['600'], { env: { FETTLE_TOOLBOX: name, PATH: searchPath } });
    const ended = once(waiting, 'exit');
    const backend = await openBackend('bubblewrap', { folder, searchPath });
    expect(await backend.clearLeftovers()).toEqual([name]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(listSandboxFolders(folder)).toEqual([]);
    expect(listGroups(name)).toEqual([]);

    // One whose folder is gone already, as earlier versions left them.
    makeCgroup(name, defaultSandboxLimits);
    expect(await backend.clearLeftovers()).toEqual([]);
    expect(listGroups(name)).toEqual([]);
  },
);
