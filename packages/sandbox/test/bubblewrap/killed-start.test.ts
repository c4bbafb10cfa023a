// A bwrap that is killed while it starts: its child waits for a word that never comes, without a name of its own yet.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listCgroups } from '../../src/backends/bubblewrap/cgroup.ts';
import { prepareBubblewrap } from '../../src/backends/bubblewrap/prepare-place.ts';
import { startBubblewrapToolbox } from '../../src/backends/bubblewrap/start-bubblewrap.ts';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { findProgram } from '../../src/proc/find-program.ts';
import { findNamedProcesses, signalProcess } from '../../src/proc/processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const startCount = 60;
/** The first process of bwrap makes the second within these, whatever the load of the machine. */
const latestMs = 30;

async function killWhileItStarts(
  options: Parameters<typeof startBubblewrapToolbox>[0],
  afterMs: number,
): Promise<string> {
  const toolbox = await startBubblewrapToolbox(options);
  const [name = ''] = listSandboxFolders(options.place.folder);
  await delay(afterMs);
  const started = findNamedProcesses(name).filter(({ parent }) => parent === process.pid);
  for (const outer of started) signalProcess(outer, 'SIGKILL');
  toolbox.output.resume();
  await toolbox.stop({ graceMs: 0 });
  return name;
}

test.skipIf(findProgram('bwrap', searchPath) === undefined)(
  'whenever it is killed, nothing is left',
  async () => {
    const folder = makeTemporaryFolder();
    const place = await prepareBubblewrap(folder, searchPath, async () => {});
    const options = {
      ...{ place, limits: defaultSandboxLimits, searchPath, readOnly: [], warmUpAfterMs: 600_000 },
    };
    for (let round = 0; round < startCount; round += 1) {
      const name = await killWhileItStarts(options, (round / startCount) * latestMs);
      expect(findNamedProcesses(name)).toEqual([]);
      expect(listCgroups((each) => each === name)).toEqual([]);
      expect(listSandboxFolders(folder)).toEqual([]);
    }
  },
);
