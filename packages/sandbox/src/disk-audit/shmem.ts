// Memory that processes share without a file. Its pages stay for as long as any part of it is mapped by anybody, also those
// that a process let go of (madvise), and then they are in nobody's own count.
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { readIfThere } from '../proc/processes.ts';
import { breathe } from '../proc/yield-to-event-loop.ts';
import { findRemovedMappings } from './deleted-mappings.ts';

const countTimeoutMs = 30_000;

/** What the whole machine has of it: no sandbox has more. */
export function sharedMemoryOfAll(): number {
  return Number(/^Shmem:\s+(\d+) kB/m.exec(readIfThere('/proc/meminfo') ?? '')?.[1] ?? 0) * 1024;
}

/** Each counted once. Only root may look behind a mapping: others find none. */
export async function countSharedMemory(processes: { pid: number }[]): Promise<number> {
  const found = new Map<number, number>();
  const pause = breathe();
  const start = performance.now();
  for (const { pid } of processes) {
    // So many that they cannot be counted are too many.
    if (performance.now() - start > countTimeoutMs) return Number.POSITIVE_INFINITY;
    await setImmediate();
    for await (const { range, inode, isOnDevice } of findRemovedMappings(String(pid))) {
      await pause();
      if (!isOnDevice && !found.has(inode)) found.set(inode, bytesBehind(`/proc/${pid}/map_files/${range}`));
    }
  }
  return found.values().reduce((sum, bytes) => sum + bytes, 0);
}

function bytesBehind(mapping: string): number {
  try {
    return statSync(mapping).blocks * 512;
  } catch {
    return 0;
  }
}
