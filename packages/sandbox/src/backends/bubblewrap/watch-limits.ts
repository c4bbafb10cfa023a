// Limits that no rlimit knows: the memory of all processes of a sandbox together, and the disk. Looked at often enough
// that a sandbox that goes over is ended soon; where cgroups can be had, the kernel holds the memory harder than this.
import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { promisify } from 'node:util';
import { memoryOf } from '../../toolbox/run/processes.ts';
import type { ToolboxUsage } from '../backend.ts';
import type { SandboxLimits } from '../limits.ts';
import { namelessBytes } from './nameless-files.ts';
import { listSandboxProcesses, spentBy } from './sandbox-processes.ts';

const runFile = promisify(execFile);
const LOOK_MS = 500;
/** Counting a tree takes a while, so it is done when the file system has lost that much since the last time. */
const WORTH_COUNTING_BYTES = 128 * 1024 ** 2;
const COUNT_TIMEOUT_MS = 60_000;
/** As many files for its share of the disk as file systems are usually made for. */
const BYTES_PER_FILE = 16 * 1024;

export interface WatchOptions {
  folder: string;
  /** The process at the sandbox's head. */
  head: number;
  limits: SandboxLimits;
  /** Called once, with a sentence for whoever wonders why it ended. */
  onExceeded: (reason: string) => void;
}

export interface LimitWatch {
  usage(): ToolboxUsage;
  stop(): void;
}

export function watchLimits({ folder, head, limits, onExceeded }: WatchOptions): LimitWatch {
  const used: ToolboxUsage = { cpuMs: 0, memoryPeakBytes: 0, ioBytes: 0, pids: 0 };
  const freeAtStart = freeOn(folder);
  const freeAtLastCount = { ...freeAtStart };
  const maxFiles = Math.floor(limits.diskBytes / BYTES_PER_FILE);
  let stopped = false;
  let timer = setTimeout(look, LOOK_MS);
  timer.unref();

  async function look(): Promise<void> {
    const reason = exceedsMemory() ?? (await exceedsDisk()) ?? (await exceedsFiles());
    if (stopped) return;
    if (reason !== undefined) return onExceeded(reason);
    timer = setTimeout(look, LOOK_MS);
    timer.unref();
  }

  function exceedsMemory(): string | undefined {
    const bytes = takeStock();
    return bytes > limits.memoryBytes
      ? `it used more than ${megabytes(limits.memoryBytes)} of memory`
      : undefined;
  }

  async function exceedsDisk(): Promise<string | undefined> {
    const free = freeOn(folder);
    if (freeAtLastCount.bytes - free.bytes < Math.min(WORTH_COUNTING_BYTES, limits.diskBytes / 2))
      return undefined;
    freeAtLastCount.bytes = free.bytes;
    const used =
      (await count(folder, '--block-size=1', freeAtStart.bytes - free.bytes)) +
      namelessBytes(listSandboxProcesses(head));
    return used > limits.diskBytes ? `it used more than ${megabytes(limits.diskBytes)} of disk` : undefined;
  }

  /** Empty files take no bytes, but a file system has room for so many only. */
  async function exceedsFiles(): Promise<string | undefined> {
    const free = freeOn(folder);
    if (freeAtLastCount.files - free.files < maxFiles / 4) return undefined;
    freeAtLastCount.files = free.files;
    return (await count(folder, '--inodes', freeAtStart.files - free.files)) > maxFiles
      ? `it made more than ${maxFiles} files`
      : undefined;
  }

  /** Gives the memory in use, and notes what was most so far. */
  function takeStock(): number {
    const processes = listSandboxProcesses(head);
    const bytes = memoryOf(processes);
    const spent = processes.map(spentBy);
    used.memoryPeakBytes = Math.max(used.memoryPeakBytes, bytes);
    used.pids = Math.max(used.pids, processes.length);
    // Whoever has ended is counted with its parent; a moment in between must not look like less.
    used.cpuMs = Math.max(used.cpuMs, Math.round(spent.reduce((sum, { cpuMs }) => sum + cpuMs, 0)));
    used.ioBytes = Math.max(
      used.ioBytes,
      spent.reduce((sum, { ioBytes }) => sum + ioBytes, 0),
    );
    return bytes;
  }

  return {
    usage() {
      if (!stopped) takeStock();
      return { ...used };
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Files may vanish while they are counted; what was counted then is on standard output all the same. What lies in a
 * folder that its owner has shut is not: then it is all that the file system has lost since the sandbox is there.
 */
async function count(folder: string, what: '--block-size=1' | '--inodes', lost: number): Promise<number> {
  const counted = await runFile('du', ['--summarize', '--one-file-system', what, '--', folder], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeout: COUNT_TIMEOUT_MS,
  }).catch((error: { stdout?: string; stderr?: string; killed?: boolean }) => error);
  // So many files that they cannot be counted are too many; so are more complaints than fit into memory.
  if ('killed' in counted && counted.killed) return Number.POSITIVE_INFINITY;
  const seen = Number.parseInt(counted.stdout ?? '', 10) || 0;
  return counted.stderr?.includes('Permission denied') ? Math.max(seen, lost) : seen;
}

function freeOn(folder: string): { bytes: number; files: number } {
  const { bavail, bsize, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, files: ffree };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`;
}
