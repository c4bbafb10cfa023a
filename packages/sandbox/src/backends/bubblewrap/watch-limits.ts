/**
 * Enforces limits for which there is no rlimit: the disk, and the memory of all processes of a sandbox together. Checks
 * often and kills a sandbox soon after it exceeds a limit. Where cgroups are available, the kernel enforces the memory limit
 * more strictly than this.
 */
import { createDiskAudit, type PauseSandbox } from '../../disk-audit/disk-usage.ts';
import { listSandboxProcesses, spentBy } from '../../disk-audit/sandbox-processes.ts';
import { countSharedMemory, totalSharedMemory } from '../../disk-audit/shmem.ts';
import { createSocketCheck } from '../../disk-audit/socket-memory.ts';
import { memoryOf } from '../../proc/processes.ts';
import type { ToolboxUsage } from '../backend.ts';
import type { SandboxLimits } from '../limits.ts';

const checkIntervalMs = 500;

export interface WatchOptions {
  folder: string;
  /** The sandbox's init process, as seen from this machine. */
  initPid: number;
  limits: SandboxLimits;
  /** Whether a cgroup limits the memory. */
  hasCgroup: boolean;
  pauseSandbox?: PauseSandbox | undefined;
  /** Called once, with the reason. */
  onExceeded: (reason: string) => void;
}

export interface LimitWatch {
  usage(): ToolboxUsage;
  stop(): void;
}

export function watchLimits(options: WatchOptions): LimitWatch {
  const { folder, initPid, limits, hasCgroup, pauseSandbox, onExceeded } = options;
  const used = { cpuMs: 0, memoryPeakBytes: 0, ioBytes: 0, pids: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
  const disk = createDiskAudit({ folder, initPid, diskBytes: limits.diskBytes, pauseSandbox, signal });
  const exceedsInSockets = hasCgroup ? () => false : createSocketCheck(initPid, limits.memoryBytes);
  exceedsInSockets();
  const timers = new Set<NodeJS.Timeout>();
  let isOver = false;

  /** Each check has its own timer: a sandbox can make one check slow, and must not gain time in what another one checks. */
  function repeat(check: () => Promise<string | undefined>): void {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const reason = await check().catch((error: Error) => `its limits cannot be checked: ${error.message}`);
      // After a stop, the folder may be gone, and a failure means nothing.
      if (signal.aborted || isOver) return;
      if (reason === undefined) return repeat(check);
      isOver = true;
      onExceeded(reason);
    }, checkIntervalMs);
    timer.unref();
    timers.add(timer);
  }

  const describeMemory = (isExceeded: boolean) =>
    isExceeded ? `it used more than ${Math.round(limits.memoryBytes / 1024 ** 2)} MB of memory` : undefined;

  repeat(async () => describeMemory(measure() > limits.memoryBytes || exceedsInSockets()));
  repeat(async () => describeMemory((await countWithShared()) > limits.memoryBytes));
  repeat(disk.check);

  /** Includes shared pages that no process maps any more. Returns 0 when the whole machine has too few to matter. */
  async function countWithShared(): Promise<number> {
    const processes = listSandboxProcesses(initPid);
    const own = memoryOf(processes, ['RssAnon']);
    if (own + totalSharedMemory() <= limits.memoryBytes) return 0;
    return own + (await countSharedMemory(processes));
  }

  /** Returns the memory in use, and updates the peaks. */
  function measure(): number {
    const processes = listSandboxProcesses(initPid);
    const bytes = memoryOf(processes);
    const spent = processes.map(spentBy);
    used.memoryPeakBytes = Math.max(used.memoryPeakBytes, bytes);
    used.pids = Math.max(used.pids, processes.length);
    // The usage of an ended process moves to its parent. A sample in between must not lower the total.
    used.cpuMs = Math.max(used.cpuMs, Math.round(spent.reduce((sum, { cpuMs }) => sum + cpuMs, 0)));
    used.ioBytes = Math.max(
      used.ioBytes,
      spent.reduce((sum, { ioBytes }) => sum + ioBytes, 0),
    );
    return bytes;
  }

  return {
    usage() {
      if (!signal.aborted) measure();
      return { ...used };
    },
    stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
