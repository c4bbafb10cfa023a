// Limits that no rlimit knows: the memory of all processes of a sandbox together, and the disk. Looked at often enough
// that a sandbox that goes over is ended soon; where cgroups can be had, the kernel holds the memory harder than this.

import { createDiskLook, type HoldStill } from '../../disk-audit/disk-usage.ts';
import { listSandboxProcesses, spentBy } from '../../disk-audit/sandbox-processes.ts';
import { countSharedMemory, sharedMemoryOfAll } from '../../disk-audit/shmem.ts';
import { createSocketLook } from '../../disk-audit/socket-memory.ts';
import { memoryOf } from '../../proc/processes.ts';
import type { ToolboxUsage } from '../backend.ts';
import type { SandboxLimits } from '../limits.ts';

const checkIntervalMs = 500;

export interface WatchOptions {
  folder: string;
  /** The process at the sandbox's head. */
  head: number;
  limits: SandboxLimits;
  /** Whether the kernel itself holds all of its memory. */
  isGrouped: boolean;
  holdStill?: HoldStill | undefined;
  /** Called once, with a sentence for whoever wonders why it ended. */
  onExceeded: (reason: string) => void;
}

export interface LimitWatch {
  usage(): ToolboxUsage;
  stop(): void;
}

export function watchLimits(options: WatchOptions): LimitWatch {
  const { folder, head, limits, isGrouped, holdStill, onExceeded } = options;
  const used = { cpuMs: 0, memoryPeakBytes: 0, ioBytes: 0, pids: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  const disk = createDiskLook({ folder, head, diskBytes: limits.diskBytes, holdStill, signal });
  const hidesInSockets = isGrouped ? () => false : createSocketLook(head, limits.memoryBytes);
  hidesInSockets();
  const timers = new Set<NodeJS.Timeout>();
  let isOver = false;

  /** Each at its own pace: a sandbox can see to it that one of them takes long, and grow meanwhile in what another looks at. */
  function lookAgainAndAgain(find: () => Promise<string | undefined>): void {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const reason = await find().catch((error: Error) => `it cannot be watched: ${error.message}`);
      // Its folder may be gone by then.
      if (signal.aborted || isOver) return;
      if (reason === undefined) return lookAgainAndAgain(find);
      isOver = true;
      onExceeded(reason);
    }, checkIntervalMs);
    timer.unref();
    timers.add(timer);
  }

  const ifTooMuch = (isTooMuch: boolean) =>
    isTooMuch ? `it used more than ${Math.round(limits.memoryBytes / 1024 ** 2)} MB of memory` : undefined;

  lookAgainAndAgain(async () => ifTooMuch(takeStock() > limits.memoryBytes || hidesInSockets()));
  lookAgainAndAgain(async () => ifTooMuch((await countWithShared()) > limits.memoryBytes));
  lookAgainAndAgain(disk.look);

  /** With what is shared and was let go of; nothing while all that the machine has of it would be within the limit. */
  async function countWithShared(): Promise<number> {
    const processes = listSandboxProcesses(head);
    const own = memoryOf(processes, ['RssAnon']);
    if (own + sharedMemoryOfAll() <= limits.memoryBytes) return 0;
    return own + (await countSharedMemory(processes));
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
      if (!signal.aborted) takeStock();
      return { ...used };
    },
    stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
