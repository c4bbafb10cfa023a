// Files that were removed while somebody still holds them: no walk through a folder finds them. They are held by an open
// handle, by a mapping, by being the program that runs, or by a handle that is under way in a socket. So are folders, also
// by whoever works in them: one that had a million names keeps the room that these took.
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { breathe } from '../proc/yield-to-event-loop.ts';
import { findRemovedMappings } from './deleted-mappings.ts';

const countTimeoutMs = 30_000;

export interface NamelessFiles {
  /** On the disk, each counted once, however many processes have it. */
  bytes: number;
  /** Whether there is more that cannot be looked at: handles on their way from one process to another, mappings. */
  areMore: boolean;
}

/** Those on one file system; what is in memory counts as memory. */
export async function findNamelessFiles(
  processes: { pid: number }[],
  device: number,
): Promise<NamelessFiles> {
  const files = new Map<number, number>();
  const pause = breathe();
  let areMore = false;

  function note(stat: Stats | undefined): void {
    if (stat?.nlink === 0 && stat.dev === device && (stat.isFile() || stat.isDirectory()))
      files.set(stat.ino, stat.blocks * 512);
  }

  const start = performance.now();
  for (const { pid } of processes) {
    // So many that they cannot be counted are too many.
    if (performance.now() - start > countTimeoutMs) return { bytes: Number.POSITIVE_INFINITY, areMore };
    await setImmediate();
    // Each thread may have handles of its own. All share their memory, but one that has ended shows none.
    const threads = list(`/proc/${pid}/task`);
    for (const thread of threads) {
      note(look(`/proc/${thread}/cwd`));
      for (const fd of list(`/proc/${thread}/fd`)) {
        const stat = look(`/proc/${thread}/fd/${fd}`);
        note(stat);
        if (stat?.isSocket() && holdsHandles(`/proc/${thread}/fdinfo/${fd}`)) areMore = true;
        await pause();
      }
    }
    const living = threads.find((thread) => look(`/proc/${thread}/exe`) !== undefined);
    if (living === undefined) continue;
    note(look(`/proc/${living}/exe`));
    for await (const { range, inode, bytes, isOnDevice } of findRemovedMappings(living)) {
      const stat = look(`/proc/${living}/map_files/${range}`);
      note(stat);
      // Only root may look behind a mapping; others know no more than how much of it is mapped.
      if (stat === undefined && isOnDevice && !files.has(inode)) {
        files.set(inode, bytes);
        areMore = true;
      }
      await pause();
    }
  }
  return { bytes: files.values().reduce((sum, bytes) => sum + bytes, 0), areMore };
}

/** None of a process that is gone. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for a handle that is closed by now. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function holdsHandles(path: string): boolean {
  try {
    return /^scm_fds:\s*[1-9]/m.test(readFileSync(path, 'latin1'));
  } catch {
    return false;
  }
}
