// A worker and its toolbox may both be killed before either could tidy up. The name of a sandbox's folder, which is
// also in the environment of its processes, says whose it is: whoever starts next clears away what belongs to the dead.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { endProcesses, findNamedProcesses, startTimeOf } from '../proc/processes.ts';
import { removeTree } from './remove-tree.ts';

const folderName = /^sandbox-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/;

export function makeOwnedFolder(place: string): string {
  const owner = `${placeMark(place)}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
  return mkdtempSync(join(place, `sandbox-${owner}-`));
}

/** This process, and no other that ever had its number on this machine. */
export function processMark(): string {
  return `${shorten(hostname())}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
}

/** What is known of the process behind a mark; one of another machine or container cannot be asked. */
export function lookUpProcess(mark: string): 'alive' | 'gone' | 'unknown' {
  const [host, pid, startTime] = mark.split('-');
  if (process.platform !== 'linux' || host !== shorten(hostname())) return 'unknown';
  return startTimeOf(Number(pid)) === Number(startTime) ? 'alive' : 'gone';
}

/**
 * Ends the processes and removes the folders of sandboxes whose worker is gone; gives the folders' names. One that cannot
 * be cleared away does not spare the others: what stood in the way is thrown when all were tried.
 */
export async function clearLeftovers(place: string): Promise<string[]> {
  const left = listNames(place).filter((name) => isLeftover(place, name));
  await tryEach(left, async (name) => {
    await endProcesses(() => findNamedProcesses(name));
    await removeTree(join(place, name));
  });
  return left;
}

export async function tryEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}

/** A process of another machine or container cannot be asked, so that its folders are left alone. */
export function isLeftover(place: string, name: string): boolean {
  const [, mark = '', pid, startTime] = folderName.exec(name) ?? [];
  if (process.platform !== 'linux' || mark !== placeMark(place)) return false;
  return startTimeOf(Number(pid)) !== Number(startTime);
}

/** Of this place on this machine: control groups of all places are side by side. */
function placeMark(place: string): string {
  return shorten(`${hostname()}\n${realpathSync(place)}`);
}

function shorten(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function listNames(place: string): string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
