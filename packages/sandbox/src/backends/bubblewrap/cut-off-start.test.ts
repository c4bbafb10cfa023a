// A worker that is killed between starting bwrap and hearing from it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBackend } from '../../choose-backend.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../fixtures/test-sandbox.ts';
import { findProgram } from '../../toolbox/find-program.ts';
import { findNamedProcesses } from '../../toolbox/run/processes.ts';
import { DEFAULT_SANDBOX_LIMITS } from '../limits.ts';
import { listCgroups, makeCgroup } from './cgroup.ts';

const searchPath = process.env.PATH ?? '';
const host = fileURLToPath(new URL('../../fixtures/host-process.ts', import.meta.url));
const bwrap = findProgram('bwrap', searchPath);

/** A folder with a bwrap that starts once there is a file `go` beside it; where every user can get to it. */
function makePatientBwrap(): string {
  const folder = mkdtempSync('/tmp/fettle-patient-bwrap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `#!/bin/sh\nuntil [ -e ${folder}/go ]; do sleep 0.05; done\nexec ${bwrap} "$@"\n`;
  writeFileSync(join(folder, 'bwrap'), program, { mode: 0o755 });
  chmodSync(folder, 0o755);
  return folder;
}

interface CutOff {
  folder: string;
  name: string;
}

/** One process is left, which waits for another that is gone. It may also be that none is left: then once more. */
async function cutOffStart(): Promise<CutOff> {
  for (let tries = 0; tries < 10; tries++) {
    const cutOff = await tryToCutOff(makeTemporaryFolder());
    if (cutOff) return cutOff;
  }
  throw new Error('each time nothing was left');
}

async function tryToCutOff(folder: string): Promise<CutOff | undefined> {
  const patient = makePatientBwrap();
  const env = { ...process.env, FETTLE_TEST_BACKEND: 'bubblewrap', PATH: `${patient}:${searchPath}` };
  const worker = spawn(process.execPath, [host, folder, '1'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(worker, 'exit');
  const wait = { timeout: 30_000, interval: 20 };
  const [name, outer] = await vi.waitFor(() => {
    const found = listSandboxFolders(folder)[0] ?? expect.fail('it has no folder yet');
    const started = findNamedProcesses(found).find(({ parent }) => parent === worker.pid);
    return [found, started?.pid ?? expect.fail('it has not started yet')] as const;
  }, wait);
  worker.kill('SIGKILL');
  await exited;
  writeFileSync(join(patient, 'go'), '');
  return vi.waitFor(() => {
    const left = findNamedProcesses(name).map(({ pid }) => pid);
    expect(left).not.toContain(outer);
    expect(left.length).toBeLessThanOrEqual(1);
    return left.length === 1 ? { folder, name } : undefined;
  }, wait);
}

test.skipIf(bwrap === undefined)('a start that was cut off is cleared away by the next worker', async () => {
  const { folder, name } = await cutOffStart();
  const backend = await openBackend('bubblewrap', { folder, searchPath });
  expect(await backend.clearLeftovers()).toEqual([name]);
  expect(findNamedProcesses(name)).toEqual([]);
  expect(listSandboxFolders(folder)).toEqual([]);
  const listGroups = () => listCgroups((each) => each === name).map((path) => basename(path));
  expect(listGroups()).toEqual([]);

  // One whose folder is gone already, as earlier versions left them.
  makeCgroup(name, DEFAULT_SANDBOX_LIMITS);
  expect(await backend.clearLeftovers()).toEqual([]);
  expect(listGroups()).toEqual([]);
});
