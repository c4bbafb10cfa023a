/**
 * Tracks all processes that one command started. A child that calls setsid leaves the process group; an orphan is adopted by
 * another process; a child with an empty environment loses the marker. So parents, sessions and markers are all tracked while
 * the command runs. In a sandbox with its own pid namespace no process can hide: every orphan is a child of process 1.
 */
import { isGroupEmpty, isMarked, type ProcessInfo } from '../../proc/processes.ts';

const firstCheckMs = 50;
const maxPauseMs = 1000;

export interface ProcessFamily {
  /** Adds a program that the toolbox has started, in its own session and group. */
  addLeader(pid: number): void;
  /** The groups of these programs, except forgotten ones. */
  groups(): number[];
  /** The id of an empty group may be reused by another process. */
  forgetEmptyGroups(): void;
  /** The living members. */
  find(): ProcessInfo[];
  has(info: ProcessInfo): boolean;
  stopWatching(): void;
}

export interface FamilyOptions {
  marker: string;
  /** Processes that are younger than the toolbox. Older ones cannot come from a command. */
  listNewcomers: () => ProcessInfo[];
  /** The running commands, including this one. An orphan that belongs to no other command is assigned to this one. */
  families: Set<ProcessFamily>;
  ownsProcesses: boolean;
}

export function watchFamily(options: FamilyOptions): ProcessFamily {
  const { marker, listNewcomers, families, ownsProcesses } = options;
  const members = new Map<number, number>();
  const sessions = new Set<number>();
  const groups = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  function belongs(info: ProcessInfo): boolean {
    return (
      members.get(info.pid) === info.startTime ||
      sessions.has(info.session) ||
      members.has(info.parent) ||
      isMarked(info.pid, marker) ||
      isOrphan(info)
    );
  }

  function isOrphan(info: ProcessInfo): boolean {
    return (
      ownsProcesses && info.parent === 1 && ![...families].some((each) => each !== family && each.has(info))
    );
  }

  function find(): ProcessInfo[] {
    const candidates = listNewcomers();
    const found: ProcessInfo[] = [];
    // A parent may have a higher pid than its child, so repeat until no new member is found.
    for (let before = -1; before !== found.length; ) {
      before = found.length;
      for (const info of candidates) {
        if (found.includes(info) || !belongs(info)) continue;
        found.push(info);
        members.set(info.pid, info.startTime);
        sessions.add(info.session);
      }
    }
    return found;
  }

  function checkAgain(pauseMs: number): void {
    timer = setTimeout(() => {
      forgetDead();
      checkAgain(Math.min(pauseMs * 2, maxPauseMs));
    }, pauseMs);
  }

  /** A pid may be reused by a process that does not belong to this command. */
  function forgetDead(): void {
    const alive = find();
    const pids = new Set(alive.map(({ pid }) => pid));
    for (const pid of members.keys()) if (!pids.has(pid)) members.delete(pid);
    const lived = new Set([...groups, ...alive.map(({ session }) => session)]);
    for (const session of sessions) if (!lived.has(session)) sessions.delete(session);
  }

  checkAgain(firstCheckMs);
  const family: ProcessFamily = {
    addLeader(pid) {
      sessions.add(pid);
      groups.add(pid);
    },
    groups: () => [...groups],
    forgetEmptyGroups() {
      for (const group of groups) if (isGroupEmpty(group)) groups.delete(group);
    },
    find,
    has: ({ pid, startTime }) => members.get(pid) === startTime,
    stopWatching: () => clearTimeout(timer),
  };
  return family;
}
