/**
 * The free space of the file system that holds the volumes. Other programs use it too, and without quotas a sandbox can
 * fill it before its own size is counted, or with empty files. So the free space is watched as well.
 */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

export interface HostDisk {
  usedBytes: number;
  /** Free bytes and free files are shares of the total, 0 to 1. Free files are 1 where the file system has no fixed number of inodes. */
  freeBytes: number;
  freeFiles: number;
}

/** Below this share, no sandbox is started. */
const lowShare = 0.05;
/** Below this share, sandboxes are ended, one per check. */
const criticalShare = 0.02;

/** If the broker runs in a container of this engine, the engine's folder is missing, but / is on the same file system. */
export async function readHostDisk(engineFolder: string): Promise<HostDisk> {
  const { bsize, bfree, bavail, blocks, ffree, files } = await statfs(
    existsSync(engineFolder) ? engineFolder : '/',
  );
  return {
    usedBytes: (blocks - bfree) * bsize,
    freeBytes: bavail / blocks,
    freeFiles: files === 0 ? 1 : ffree / files,
  };
}

export function isLow({ freeBytes, freeFiles }: Pick<HostDisk, 'freeBytes' | 'freeFiles'>): boolean {
  return freeBytes < lowShare || freeFiles < lowShare;
}

export interface Consumer {
  id: string;
  bytes: number;
  /** Since the previous sample. Creating many files takes most of a CPU. */
  cpuMs: number;
}

/** The sandbox to end so that the others can continue. Undefined while there is enough space. */
export function chooseLargest(
  disk: Pick<HostDisk, 'freeBytes' | 'freeFiles'>,
  consumers: Consumer[],
): Consumer | undefined {
  if (disk.freeBytes < criticalShare) return greatest(consumers, ({ bytes }) => bytes);
  if (disk.freeFiles < criticalShare) return greatest(consumers, ({ cpuMs }) => cpuMs);
  return undefined;
}

function greatest(consumers: Consumer[], measure: (consumer: Consumer) => number): Consumer | undefined {
  return consumers.toSorted((one, other) => measure(other) - measure(one))[0];
}
