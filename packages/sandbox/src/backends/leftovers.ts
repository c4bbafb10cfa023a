/**
 * Cleans up after killed workers. A worker and its toolbox may both die before they can remove the sandbox. The name of a
 * sandbox's folder contains the process id and start time of its worker, and its processes have that name in their
 * environment, so the next worker can find and remove what dead workers left.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { endProcesses, findNamedProcesses, startTimeOf } from '../proc/processes.ts';
import { removeTree } from './remove-tree.ts';

const folderName = /^sandbox-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/;

export function makeOwnedFolder(parent: string): string {
  const owner = `${parentMark(parent)}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
  return mkdtempSync(join(parent, `sandbox-${owner}-`));
}

/** Identifies this process on this machine, even after its pid is reused. */
export function processMark(): string {
  return `${shorten(hostname())}-${process.pid}-${startTimeOf(process.pid) ?? 0}`;
}

/** The state of the process that a mark identifies. `unknown` for a process of another machine or container. */
export function lookUpProcess(mark: string): 'alive' | 'gone' | 'unknown' {
  const [host, pid, startTime] = mark.split('-');
  if (process.platform !== 'linux' || host !== shorten(hostname())) return 'unknown';
  return startTimeOf(Number(pid)) === Number(startTime) ? 'alive' : 'gone';
}

/**
 * Kills the processes and removes the folders of sandboxes whose worker is dead. Returns the names of the folders. Tries
 * all of them and throws the failures at the end.
 */
export async function clearLeftovers(parent: string): Promise<string[]> {
  const left = listNames(parent).filter((name) => isLeftover(parent, name));
  await tryEach(left, async (name) => {
    await endProcesses(() => findNamedProcesses(name));
    await removeTree(join(parent, name));
  });
  return left;
}

export async function tryEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}

/** False for folders of another machine or container: whether their worker is alive cannot be known here. */
export function isLeftover(parent: string, name: string): boolean {
  const [, mark = '', pid, startTime] = folderName.exec(name) ?? [];
  if (process.platform !== 'linux' || mark !== parentMark(parent)) return false;
  return startTimeOf(Number(pid)) !== Number(startTime);
}

/** Part of the name, because the control groups of all sandbox folders are siblings. */
function parentMark(parent: string): string {
  return shorten(`${hostname()}\n${realpathSync(parent)}`);
}

function shorten(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function listNames(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
