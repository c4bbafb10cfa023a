/**
 * Anonymous shared memory (shmem). Its pages live as long as any part of it is mapped by any process. Pages that a process
 * has released with madvise are in no process's own count.
 */
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { readIfThere } from '../proc/processes.ts';
import { createYield } from '../proc/yield-to-event-loop.ts';
import { findDeletedMappings } from './deleted-mappings.ts';

const countTimeoutMs = 30_000;

/** The shared memory of the whole machine, which is an upper bound for each sandbox. */
export function totalSharedMemory(): number {
  return Number(/^Shmem:\s+(\d+) kB/m.exec(readIfThere('/proc/meminfo') ?? '')?.[1] ?? 0) * 1024;
}

/** Counts each segment once. Returns 0 for a user other than root, who may not inspect map_files. */
export async function countSharedMemory(processes: { pid: number }[]): Promise<number> {
  const sizes = new Map<number, number>();
  const yieldNow = createYield();
  const start = performance.now();
  for (const { pid } of processes) {
    // Segments that cannot be counted in time are too many.
    if (performance.now() - start > countTimeoutMs) return Number.POSITIVE_INFINITY;
    await setImmediate();
    for await (const { range, inode, isOnDevice } of findDeletedMappings(String(pid))) {
      await yieldNow();
      if (!isOnDevice && !sizes.has(inode)) sizes.set(inode, sizeOf(`/proc/${pid}/map_files/${range}`));
    }
  }
  return sizes.values().reduce((sum, bytes) => sum + bytes, 0);
}

function sizeOf(mapping: string): number {
  try {
    return statSync(mapping).blocks * 512;
  } catch {
    return 0;
  }
}
