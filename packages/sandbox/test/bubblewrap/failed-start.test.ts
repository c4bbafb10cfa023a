// A start that comes to nothing: it ends, says why, and leaves nothing behind while the worker lives on.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listCgroups } from '../../src/backends/bubblewrap/cgroup.ts';
import { type BubblewrapPlace, prepareBubblewrap } from '../../src/backends/bubblewrap/prepare-place.ts';
import { startBubblewrapToolbox } from '../../src/backends/bubblewrap/start-bubblewrap.ts';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { findProgram } from '../../src/proc/find-program.ts';
import { findNamedProcesses } from '../../src/proc/processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const isMissing = findProgram('bwrap', searchPath) === undefined;
const prepare = () => prepareBubblewrap(makeTemporaryFolder(), searchPath, async () => {});
const start = (place: BubblewrapPlace) =>
  startBubblewrapToolbox({
    ...{ place, limits: defaultSandboxLimits, searchPath, readOnly: [], warmUpAfterMs: 600_000 },
  });
const listOurGroups = () =>
  listCgroups((name) => name.includes(`-${process.pid}-`)).map((path) => basename(path));

test.skipIf(isMissing)('where bwrap cannot even be called', async () => {
  const place = await prepare();
  const before = listOurGroups();
  await expect(start({ ...place, seccompFilter: join(place.folder, 'absent') })).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining('ENOENT'),
  });
  expect(listSandboxFolders(place.folder)).toEqual([]);
  expect(listOurGroups()).toEqual(before);
});

test.skipIf(isMissing)('where bwrap is stuck', async () => {
  const folder = mkdtempSync('/tmp/fettle-stuck-bwrap-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const bwrap = join(folder, 'bwrap');
  writeFileSync(bwrap, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const place = { ...(await prepare()), bwrap };
  const toolbox = await start(place);
  const [name = ''] = listSandboxFolders(place.folder);
  toolbox.output.resume();
  await toolbox.stop({ graceMs: 0 });
  expect(findNamedProcesses(name)).toEqual([]);
  expect(listSandboxFolders(place.folder)).toEqual([]);
  expect(listCgroups((each) => each === name)).toEqual([]);
});
