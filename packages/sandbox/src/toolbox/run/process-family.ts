// All processes that came from one command, wherever they went. A child that calls setsid leaves the group; one
// whose parent ends is adopted by another; one started with an empty environment loses the marker. So all three
// are watched: the links to parents and sessions while the command runs, and the marker. Where the sandbox numbers
// its own processes, none can hide: whoever has lost its parent has come to process 1, and came from a command.
import { isGroupEmpty, isMarked, type ProcessInfo } from '../../proc/processes.ts';

const firstCheckMs = 50;
const maxPauseMs = 1000;

export interface ProcessFamily {
  /** The toolbox has started one more for it, in a session and a group of its own. */
  addLeader(pid: number): void;
  /** The groups of those, except the ones forgotten. */
  groups(): number[];
  /** The number of a group that nobody is in any more may go to a stranger. */
  forgetEmptyGroups(): void;
  /** Who is alive now. */
  find(): ProcessInfo[];
  has(info: ProcessInfo): boolean;
  stopWatching(): void;
}

export interface FamilyOptions {
  marker: string;
  /** What has started since the toolbox has; nothing older can come from a command. */
  listNewcomers: () => ProcessInfo[];
  /** The commands under way, this one included; whoever is none of theirs is taken for this one's. */
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
      isStray(info)
    );
  }

  function isStray(info: ProcessInfo): boolean {
    return (
      ownsProcesses && info.parent === 1 && ![...families].some((each) => each !== family && each.has(info))
    );
  }

  function find(): ProcessInfo[] {
    const candidates = listNewcomers();
    const found: ProcessInfo[] = [];
    // A parent may have a higher number than its child, so one more round follows as long as one brought news.
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

  function lookAgain(pauseMs: number): void {
    timer = setTimeout(() => {
      forgetDead();
      lookAgain(Math.min(pauseMs * 2, maxPauseMs));
    }, pauseMs);
  }

  /** A number that is free again may go to a stranger, whose children are none of ours. */
  function forgetDead(): void {
    const alive = find();
    const pids = new Set(alive.map(({ pid }) => pid));
    for (const pid of members.keys()) if (!pids.has(pid)) members.delete(pid);
    const lived = new Set([...groups, ...alive.map(({ session }) => session)]);
    for (const session of sessions) if (!lived.has(session)) sessions.delete(session);
  }

  lookAgain(firstCheckMs);
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
