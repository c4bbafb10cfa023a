/** Finds and kills processes through /proc. On other systems than Linux it finds none, and only process groups are killed. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** In clock ticks since boot. Together with the pid it identifies a process, because pids are reused. */
  startTime: number;
}

/** An environment variable that every process of a sandbox has. */
export const markerName = 'FETTLE_COMMAND';

const killRoundMs = 5;
const killLimitMs = 5000;

/** Excludes zombies: they are dead, and only their parent can reap them. */
export function listProcesses(): ProcessInfo[] {
  return listPids()
    .map(readProcess)
    .filter((info) => info !== undefined);
}

/**
 * Lists processes that are younger than this one. Reading every entry of /proc costs more than starting a program, and
 * nearly all processes are older, so the pids of older processes are remembered while they are in use.
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
  // The program's name is in parentheses and may contain parentheses itself.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const [, parent, group, session] = fields.map(Number);
  const startTime = Number(fields[19]);
  if (parent === undefined || group === undefined || session === undefined) return undefined;
  return { pid, parent, group, session, startTime };
}

/** Whether the process was started with this marker in its environment. */
export function isMarked(pid: number, marker: string): boolean {
  return readIfThere(`/proc/${pid}/environ`)?.includes(`${markerName}=${marker}`) === true;
}

export function findMarkedProcesses(marker: string): ProcessInfo[] {
  return listProcesses().filter(({ pid }) => pid !== process.pid && isMarked(pid, marker));
}

/** Finds the toolbox of a sandbox and its descendants, by the name of the sandbox's folder: in the environment or as working directory. */
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

/** Undefined for a process that has ended. */
export function startTimeOf(pid: number): number | undefined {
  return readProcess(pid)?.startTime;
}

/** Kills processes until `find` finds none. Returns false if some survive. */
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

/** A negative pid is a process group. Ignores processes that have ended or belong to another user. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Zombies still count as members. */
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

/** Reads a file of /proc. Undefined if its process has ended. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
