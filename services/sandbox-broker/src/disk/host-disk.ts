// The file system that the volumes lie on belongs to others too. Without quotas a sandbox can fill it faster than its own
// size is noticed, or with files that have no size at all; so what is left of it is watched as well.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

export interface HostDisk {
  usedBytes: number;
  /** This and the next are shares of the whole, 0 to 1; a file system that does not count its files always has some left. */
  freeBytes: number;
  freeFiles: number;
}

/** Below this nothing new is started. */
const lowShare = 0.05;
/** Below this sandboxes are ended, one after the other. */
const criticalShare = 0.02;

/** In a container of the same engine, the root lies on the engine's file system. */
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
  /** Since the look before; making files takes most of a processor. */
  cpuMs: number;
}

/** Who has to go for the others to live; undefined while there is room. */
export function chooseGreediest(
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
