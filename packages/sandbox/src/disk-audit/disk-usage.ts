/** Checks the disk usage of a sandbox, in bytes and in files, where no quota enforces a limit. */
import { statfsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { countDisk } from './count-disk.ts';
import { createCountPace } from './count-pace.ts';
import { findDeletedOpenFiles } from './deleted-open-files.ts';
import { listSandboxProcesses } from './sandbox-processes.ts';

const defaultWorthCountingBytes = 128 * 1024 ** 2;
const minPausesMs = { bytes: 2_000, files: 10_000 };
const recheckMs = 250;
/** File systems usually have one inode for this many bytes, so a sandbox gets as many files as its share of the disk. */
const bytesPerFile = 16 * 1024;

/** Runs `work` while all processes of the sandbox are stopped: they could pass an open file on faster than it is found. */
export type PauseSandbox = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface DiskAuditOptions {
  folder: string;
  /** The sandbox's init process. Undefined where its processes are not visible from here. */
  initPid: number | undefined;
  diskBytes: number;
  /** Growth of the file system's usage that triggers a count. Larger than the default where many sandboxes share it. */
  worthCountingBytes?: number;
  pauseSandbox?: PauseSandbox | undefined;
  /** Aborts a running count. */
  signal: AbortSignal;
}

export interface DiskAudit {
  /** Call this periodically. Returns which limit the sandbox has exceeded. */
  check(): Promise<string | undefined>;
  /** The result of the last count. */
  bytes(): number;
}

interface Free {
  bytes: number;
  files: number;
}

export function createDiskAudit(options: DiskAuditOptions): DiskAudit {
  const { folder, initPid, diskBytes, worthCountingBytes = defaultWorthCountingBytes, signal } = options;
  const pauseSandbox = initPid === undefined ? undefined : options.pauseSandbox;
  const maxFiles = Math.floor(diskBytes / bytesPerFile);
  let counted = 0;
  /** Growth that a count of the paused sandbox did not find in it: other users of the file system caused it. */
  let usedByOthers = 0;
  const bytePace = createCountPace({
    growth: Math.min(worthCountingBytes, diskBytes / 2),
    minPauseMs: minPausesMs.bytes,
  });
  const filePace = createCountPace({ growth: maxFiles / 4, minPauseMs: minPausesMs.files });
  const mostFree = freeOn(folder);
  const device = statSync(folder).dev;

  /** How much the file system's free space has shrunk, for whatever reason, since its maximum in the sandbox's lifetime. */
  function measureGrowth(free: Free): Free {
    mostFree.bytes = Math.max(mostFree.bytes, free.bytes);
    mostFree.files = Math.max(mostFree.files, free.files);
    return { bytes: mostFree.bytes - free.bytes, files: mostFree.files - free.files };
  }

  async function countBytes(growth: number): Promise<number> {
    const named = await count('bytes', growth);
    let { bytes, isIncomplete } = await findDeleted();
    usedByOthers = Math.min(usedByOthers, growth);
    if (pauseSandbox && named + bytes <= diskBytes && growth - usedByOthers > diskBytes) {
      ({ bytes, isIncomplete } = await pauseSandbox(findDeleted));
      usedByOthers = growth - Math.min(named + bytes, diskBytes);
    }
    const found = named + bytes;
    if (!isIncomplete || growth <= diskBytes || found > diskBytes) return found;
    // If some files stay uncountable for more than a moment, attribute all growth to this sandbox.
    await delay(recheckMs, undefined, { ref: false });
    return (await findDeleted()).isIncomplete ? growth : found;
  }

  const findDeleted = () =>
    findDeletedOpenFiles(initPid === undefined ? [] : listSandboxProcesses(initPid), device);

  /** If some folders cannot be read, all growth is attributed to this sandbox. */
  async function count(what: 'bytes' | 'files', growth: number): Promise<number> {
    const found = await countDisk(folder, what, signal);
    return found.hasUnreadable ? Math.max(found.counted, growth) : found.counted;
  }

  async function check(): Promise<string | undefined> {
    const free = freeOn(folder);
    const growth = measureGrowth(free);
    counted = (await bytePace.count(-free.bytes, () => countBytes(growth.bytes))) ?? counted;
    if (counted > diskBytes) return `it used more than ${Math.round(diskBytes / 1024 ** 2)} MB of disk`;
    // Empty files use no bytes, but the number of inodes of a file system is limited.
    const files = (await filePace.count(-free.files, () => count('files', growth.files))) ?? 0;
    return files > maxFiles ? `it created more than ${maxFiles} files` : undefined;
  }

  return { check, bytes: () => counted };
}

function freeOn(folder: string): Free {
  const { bavail, bsize, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, files: ffree };
}
