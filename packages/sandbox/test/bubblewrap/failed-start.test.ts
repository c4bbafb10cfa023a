/** A failed start reports the reason and leaves nothing behind, while the worker keeps running. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listCgroups } from '../../src/backends/bubblewrap/cgroup.ts';
import { type BubblewrapSetup, prepareBubblewrap } from '../../src/backends/bubblewrap/prepare-bubblewrap.ts';
import { startBubblewrapToolbox } from '../../src/backends/bubblewrap/start-bubblewrap.ts';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { findProgram } from '../../src/proc/find-program.ts';
import { findNamedProcesses } from '../../src/proc/processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const isMissing = findProgram('bwrap', searchPath) === undefined;
const prepare = () => prepareBubblewrap(makeTemporaryFolder(), searchPath, async () => {});
const start = (setup: BubblewrapSetup) =>
  startBubblewrapToolbox({
    ...{ setup, limits: defaultSandboxLimits, searchPath, readOnly: [], warmUpAfterMs: 600_000 },
  });
const listOurGroups = () =>
  listCgroups((name) => name.includes(`-${process.pid}-`)).map((path) => basename(path));

test.skipIf(isMissing)('when bwrap cannot be spawned', async () => {
  const setup = await prepare();
  const before = listOurGroups();
  await expect(start({ ...setup, seccompFilter: join(setup.folder, 'absent') })).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining('ENOENT'),
  });
  expect(listSandboxFolders(setup.folder)).toEqual([]);
  expect(listOurGroups()).toEqual(before);
});

test.skipIf(isMissing)('when bwrap hangs', async () => {
  const folder = mkdtempSync('/tmp/fettle-stuck-bwrap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const bwrap = join(folder, 'bwrap');
  writeFileSync(bwrap, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const setup = { ...(await prepare()), bwrap };
  const toolbox = await start(setup);
  const [name = ''] = listSandboxFolders(setup.folder);
  toolbox.output.resume();
  await toolbox.stop({ graceMs: 0 });
  expect(findNamedProcesses(name)).toEqual([]);
  expect(listSandboxFolders(setup.folder)).toEqual([]);
  expect(listCgroups((each) => each === name)).toEqual([]);
});
