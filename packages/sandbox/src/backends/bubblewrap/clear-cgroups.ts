// A worker that is killed while a sandbox starts may leave a process of bwrap that waits for another one which is gone too,
// for good. It bears no name yet, but it is in the sandbox's control group.
import { rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endProcesses, listProcesses, readIfThere } from '../../proc/processes.ts';
import { isLeftover, tryEach } from '../leftovers.ts';
import { listCgroups } from './cgroup.ts';

const busyTries = 40;
const busyPauseMs = 50;

/** Ends whatever is in the groups of a place's dead workers and removes them, also those whose folder is gone. */
export async function clearCgroups(place: string): Promise<void> {
  await tryEach(
    listCgroups((name) => isLeftover(place, name)),
    async (group) => {
      await endProcesses(() => listMembers(group));
      await removeGroup(group);
    },
  );
}

/** Who was killed is in it until somebody has asked how it ended. Another worker may be faster. */
async function removeGroup(group: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return rmdirSync(group);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || tries === busyTries) throw error;
      await setTimeout(busyPauseMs);
    }
  }
}

function listMembers(group: string) {
  const pids = (readIfThere(join(group, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  return pids.length === 0 ? [] : listProcesses().filter(({ pid }) => pids.includes(pid));
}
