// Finds and ends processes through /proc. Elsewhere than on Linux it finds none, and the process group has to do.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** In clock ticks since boot; with the pid it names a process for good, since pids are used again. */
  startTime: number;
}

/** The variable by which every process of a sandbox can be recognized. */
export const markerName = 'FETTLE_COMMAND';

const killRoundMs = 5;
const killLimitMs = 5000;

/** Zombies are left out: they are dead, and only their parent can clear them away. */
export function listProcesses(): ProcessInfo[] {
  return listPids()
    .map(readProcess)
    .filter((info) => info !== undefined);
}

/**
 * Lists what has started since. Reading each entry of /proc costs more than starting a program, and nearly all
 * of them are older, so those are remembered for as long as their numbers are taken.
 */
export function createNewcomerList(): () => ProcessInfo[] {
  const ownStart = readProcess(process.pid)?.startTime ?? 0;
  let older = new Set<number>([process.pid]);
  return () => {
    const pids = listPids();
    const newcomers: ProcessInfo[] = [];
    const stillOlder = new Set<number>();
    for (const pid of pids) {
      const info = older.has(pid) ? undefined : readProcess(pid);
      if (older.has(pid) || (info !== undefined && info.startTime < ownStart)) stillOlder.add(pid);
      else if (info !== undefined) newcomers.push(info);
    }
    older = stillOlder;
    return newcomers;
  };
}

function readProcess(pid: number): ProcessInfo | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  // The program's name stands in parentheses and may itself hold any of them.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const [, parent, group, session] = fields.map(Number);
  const startTime = Number(fields[19]);
  if (parent === undefined || group === undefined || session === undefined) return undefined;
  return { pid, parent, group, session, startTime };
}

/** Whether it was started with the marker in its environment. */
export function isMarked(pid: number, marker: string): boolean {
  return readIfThere(`/proc/${pid}/environ`)?.includes(`${markerName}=${marker}`) === true;
}

export function findMarkedProcesses(marker: string): ProcessInfo[] {
  return listProcesses().filter(({ pid }) => pid !== process.pid && isMarked(pid, marker));
}

/** The toolbox of a sandbox by its folder's name, and what it started, unless that left both name and folder behind. */
export function findNamedProcesses(name: string): ProcessInfo[] {
  return listProcesses().filter(({ pid }) => {
    const environment = readIfThere(`/proc/${pid}/environ`) ?? '';
    return environment.includes(`=${name}`) || folderOf(pid).split('/').includes(name);
  });
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Undefined for a process that is gone. */
export function startTimeOf(pid: number): number | undefined {
  return readProcess(pid)?.startTime;
}

/** Memory that is their own: neither a program's text nor a file's pages. */
export function memoryOf(processes: { pid: number }[], kinds = ['RssAnon', 'RssShmem']): number {
  const kilobytes = processes.flatMap(({ pid }) => {
    const status = readIfThere(`/proc/${pid}/status`) ?? '';
    return kinds.map((kind) => Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0));
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Kills what is found until nothing is found; false when something would not die. */
export async function endProcesses(find: () => ProcessInfo[]): Promise<boolean> {
  const start = performance.now();
  for (let found = find(); found.length > 0; found = find()) {
    if (performance.now() - start > killLimitMs) return false;
    for (const info of found) signalProcess(info, 'SIGKILL');
    await setTimeout(killRoundMs);
  }
  return true;
}

export function signalProcess(
  { pid, startTime }: Pick<ProcessInfo, 'pid' | 'startTime'>,
  signal: NodeJS.Signals,
): void {
  if (readProcess(pid)?.startTime !== startTime) return;
  sendSignal(pid, signal);
}

/** A negative pid names a group. What is gone already, or is not ours, needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Who is dead and has not been waited for still counts. */
export function isGroupEmpty(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A file of /proc; undefined when its process is gone. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
