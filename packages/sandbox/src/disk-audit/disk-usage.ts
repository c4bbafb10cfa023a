// The disk that a sandbox takes, in bytes and in files, where no quota holds it.
import { statfsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { countDisk } from './count-disk.ts';
import { createCountPace } from './count-pace.ts';
import { findNamelessFiles } from './deleted-open-files.ts';
import { listSandboxProcesses } from './sandbox-processes.ts';

const defaultWorthCountingBytes = 128 * 1024 ** 2;
const pausesMs = { bytes: 2_000, files: 10_000 };
const recheckMs = 250;
/** As many files for its share of the disk as file systems are usually made for. */
const bytesPerFile = 16 * 1024;

/** Does the work while nothing in the sandbox goes on: a file can be handed on faster than anybody looks for it. */
export type HoldStill = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface DiskLookOptions {
  folder: string;
  /** The process at the sandbox's head; undefined where its processes cannot be seen from here. */
  head: number | undefined;
  diskBytes: number;
  /** So much less on the file system is reason enough to count; where many share it, more than the default. */
  worthCountingBytes?: number;
  /** Where it can be had. */
  holdStill?: HoldStill | undefined;
  /** Ends a count that is under way. */
  signal: AbortSignal;
}

export interface DiskLook {
  /** To be taken again and again; says what the sandbox has too much of. */
  look(): Promise<string | undefined>;
  /** What was counted last. */
  bytes(): number;
}

interface Free {
  bytes: number;
  files: number;
}

export function createDiskLook(options: DiskLookOptions): DiskLook {
  const { folder, head, diskBytes, worthCountingBytes = defaultWorthCountingBytes, signal } = options;
  const holdStill = head === undefined ? undefined : options.holdStill;
  const maxFiles = Math.floor(diskBytes / bytesPerFile);
  let counted = 0;
  /** All that was lost when nothing was found although it held still: whoever else took that, it was not this one. */
  let takenByOthers = 0;
  const bytePace = createCountPace({
    growth: Math.min(worthCountingBytes, diskBytes / 2),
    shortestPauseMs: pausesMs.bytes,
  });
  const filePace = createCountPace({ growth: maxFiles / 4, shortestPauseMs: pausesMs.files });
  const mostFree = freeOn(folder);
  const device = statSync(folder).dev;

  /** All that the file system has lost, to whomever, since it had most while the sandbox is there. */
  function lossTo(free: Free): Free {
    mostFree.bytes = Math.max(mostFree.bytes, free.bytes);
    mostFree.files = Math.max(mostFree.files, free.files);
    return { bytes: mostFree.bytes - free.bytes, files: mostFree.files - free.files };
  }

  async function countBytes(lost: number): Promise<number> {
    const named = await count('bytes', lost);
    let { bytes, areMore } = await findNameless();
    takenByOthers = Math.min(takenByOthers, lost);
    if (holdStill && named + bytes <= diskBytes && lost - takenByOthers > diskBytes) {
      ({ bytes, areMore } = await holdStill(findNameless));
      takenByOthers = lost - Math.min(named + bytes, diskBytes);
    }
    const seen = named + bytes;
    if (!areMore || lost <= diskBytes || seen > diskBytes) return seen;
    // What cannot be looked at for longer than a moment is taken for all that was lost.
    await delay(recheckMs, undefined, { ref: false });
    return (await findNameless()).areMore ? lost : seen;
  }

  const findNameless = () => findNamelessFiles(head === undefined ? [] : listSandboxProcesses(head), device);

  /** What lies in a folder that its owner has shut is not seen: then all that was lost is taken for it. */
  async function count(what: 'bytes' | 'files', lost: number): Promise<number> {
    const { seen, isShut } = await countDisk(folder, what, signal);
    return isShut ? Math.max(seen, lost) : seen;
  }

  async function look(): Promise<string | undefined> {
    const free = freeOn(folder);
    const lost = lossTo(free);
    counted = (await bytePace.count(-free.bytes, () => countBytes(lost.bytes))) ?? counted;
    if (counted > diskBytes) return `it used more than ${Math.round(diskBytes / 1024 ** 2)} MB of disk`;
    // Empty files take no bytes, but a file system has room for so many only.
    const files = (await filePace.count(-free.files, () => count('files', lost.files))) ?? 0;
    return files > maxFiles ? `it made more than ${maxFiles} files` : undefined;
  }

  return { look, bytes: () => counted };
}

function freeOn(folder: string): Free {
  const { bavail, bsize, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, files: ffree };
}
