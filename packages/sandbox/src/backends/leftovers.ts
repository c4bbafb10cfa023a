// A worker and its toolbox may both be killed before either could tidy up. The name of a sandbox's folder, which is
// also in the environment of its processes, says whose it is: whoever starts next clears away what belongs to the dead.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { endProcesses, findNamedProcesses, startTimeOf } from '../toolbox/run/processes.ts';
import { removeTree } from './remove-tree.ts';

const NAME = /^sandbox-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/;

export function makeOwnedFolder(place: string): string {
  const owner = `${hostMark()}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
  return mkdtempSync(join(place, `sandbox-${owner}-`));
}

/** Ends the processes and removes the folders of sandboxes whose worker is gone; gives the folders' names. */
export async function clearLeftovers(place: string): Promise<string[]> {
  const left = listNames(place).filter(isLeftover);
  for (const name of left) {
    await endProcesses(() => findNamedProcesses(name));
    await removeTree(join(place, name));
  }
  return left;
}

/** A process of another machine or container cannot be asked, so that its folders are left alone. */
function isLeftover(name: string): boolean {
  const [, host, pid, startTime] = NAME.exec(name) ?? [];
  if (process.platform !== 'linux' || host !== hostMark()) return false;
  return startTimeOf(Number(pid)) !== Number(startTime);
}

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

function listNames(place: string): string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
