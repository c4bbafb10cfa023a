/** When bwrap is killed while it starts, its child waits forever, and has no marker in its environment yet. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listCgroups } from '../../src/backends/bubblewrap/cgroup.ts';
import { prepareBubblewrap } from '../../src/backends/bubblewrap/prepare-bubblewrap.ts';
import { startBubblewrapToolbox } from '../../src/backends/bubblewrap/start-bubblewrap.ts';
import { defaultSandboxLimits } from '../../src/backends/limits.ts';
import { findProgram } from '../../src/proc/find-program.ts';
import { findNamedProcesses, signalProcess } from '../../src/proc/processes.ts';
import { listSandboxFolders, makeTemporaryFolder } from '../../src/testing/test-sandbox.ts';

const searchPath = process.env.PATH ?? '';
const startCount = 60;
/** bwrap forks its second process within this time, even on a loaded machine. */
const latestMs = 30;

async function killWhileItStarts(
  options: Parameters<typeof startBubblewrapToolbox>[0],
  afterMs: number,
): Promise<string> {
  const toolbox = await startBubblewrapToolbox(options);
  const [name = ''] = listSandboxFolders(options.setup.folder);
  await delay(afterMs);
  const started = findNamedProcesses(name).filter(({ parent }) => parent === process.pid);
  for (const outer of started) signalProcess(outer, 'SIGKILL');
  toolbox.output.resume();
  await toolbox.stop({ graceMs: 0 });
  return name;
}

test.skipIf(findProgram('bwrap', searchPath) === undefined)(
  'leaves nothing, whenever bwrap is killed',
  async () => {
    const folder = makeTemporaryFolder();
    const setup = await prepareBubblewrap(folder, searchPath, async () => {});
    const options = {
      ...{ setup, limits: defaultSandboxLimits, searchPath, readOnly: [], warmUpAfterMs: 600_000 },
    };
    for (let round = 0; round < startCount; round += 1) {
      const name = await killWhileItStarts(options, (round / startCount) * latestMs);
      expect(findNamedProcesses(name)).toEqual([]);
      expect(listCgroups((each) => each === name)).toEqual([]);
      expect(listSandboxFolders(folder)).toEqual([]);
    }
  },
);
