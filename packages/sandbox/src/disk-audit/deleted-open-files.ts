/**
 * Finds deleted files that still use disk space. No walk of a folder finds them. A process keeps such a file alive by an
 * open descriptor, a mapping, by running it, or by a descriptor in transit through a socket. Deleted folders count too,
 * also as working directories: a folder that once held a million names keeps its size.
 */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createYield } from '../proc/yield-to-event-loop.ts';
import { findDeletedMappings } from './deleted-mappings.ts';

const countTimeoutMs = 30_000;

export interface DeletedOpenFiles {
  /** On the disk. Each file counts once, even if several processes hold it. */
  bytes: number;
  /** Whether there are files whose size is unknown: descriptors in transit, or mappings that we may not inspect. */
  isIncomplete: boolean;
}

/** Counts the files of one file system (`device`). Files in memory count as memory. */
export async function findDeletedOpenFiles(
  processes: { pid: number }[],
  device: number,
): Promise<DeletedOpenFiles> {
  const sizes = new Map<number, number>();
  const yieldNow = createYield();
  let isIncomplete = false;

  function add(stat: Stats | undefined): void {
    if (stat?.nlink === 0 && stat.dev === device && (stat.isFile() || stat.isDirectory()))
      sizes.set(stat.ino, stat.blocks * 512);
  }

  const start = performance.now();
  for (const { pid } of processes) {
    // Files that cannot be counted in time are too many.
    if (performance.now() - start > countTimeoutMs) return { bytes: Number.POSITIVE_INFINITY, isIncomplete };
    await setImmediate();
    // Each thread can have its own descriptors. The memory is common to all, but an ended thread shows none.
    const threads = listFolder(`/proc/${pid}/task`);
    for (const thread of threads) {
      add(statIfThere(`/proc/${thread}/cwd`));
      for (const fd of listFolder(`/proc/${thread}/fd`)) {
        const stat = statIfThere(`/proc/${thread}/fd/${fd}`);
        add(stat);
        if (stat?.isSocket() && hasFilesInTransit(`/proc/${thread}/fdinfo/${fd}`)) isIncomplete = true;
        await yieldNow();
      }
    }
    const living = threads.find((thread) => statIfThere(`/proc/${thread}/exe`) !== undefined);
    if (living === undefined) continue;
    add(statIfThere(`/proc/${living}/exe`));
    for await (const { range, inode, bytes, isOnDevice } of findDeletedMappings(living)) {
      const stat = statIfThere(`/proc/${living}/map_files/${range}`);
      add(stat);
      // Only root may inspect map_files. Others know only how much of the file is mapped.
      if (stat === undefined && isOnDevice && !sizes.has(inode)) {
        sizes.set(inode, bytes);
        isIncomplete = true;
      }
      await yieldNow();
    }
  }
  return { bytes: sizes.values().reduce((sum, bytes) => sum + bytes, 0), isIncomplete };
}

/** Empty for a process that has ended. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for a descriptor that is closed by now. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function hasFilesInTransit(path: string): boolean {
  try {
    return /^scm_fds:\s*[1-9]/m.test(readFileSync(path, 'latin1'));
  } catch {
    return false;
  }
}
