// A worker and its toolbox may both be killed before either could tidy up. The name of a sandbox's folder, which is
// also in the environment of its processes, says whose it is: whoever starts next clears away what belongs to the dead.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { endProcesses, findNamedProcesses, startTimeOf } from '../toolbox/run/processes.ts';
import { removeTree } from './remove-tree.ts';

const NAME = /^sandbox-([0-9a-f]{8}-\d+-\d+)-\w{6}$/;

export function makeOwnedFolder(place: string): string {
  return mkdtempSync(join(place, `sandbox-${processMark()}-`));
}

/** This process, and no other that ever had its number on this machine. */
export function processMark(): string {
  return `${hostMark()}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
}

/** What is known of the process behind a mark; one of another machine or container cannot be asked. */
export function lookUpProcess(mark: string): 'alive' | 'gone' | 'unknown' {
  const [host, pid, startTime] = mark.split('-');
  if (process.platform !== 'linux' || host !== hostMark()) return 'unknown';
  return startTimeOf(Number(pid)) === Number(startTime) ? 'alive' : 'gone';
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

function isLeftover(name: string): boolean {
  const [, mark] = NAME.exec(name) ?? [];
  return mark !== undefined && lookUpProcess(mark) === 'gone';
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
