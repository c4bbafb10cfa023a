/**
 * Enforces limits for which there is no rlimit: the disk, and the memory of all processes of a sandbox together. Checks
 * often and kills a sandbox soon after it exceeds a limit. Where cgroups are available, the kernel enforces the memory limit
 * more strictly than this.
 */
import { createDiskAudit, type PauseSandbox } from '../../disk-audit/disk-usage.ts';
import { childrenOf, listSandboxProcesses, spentBy } from '../../disk-audit/sandbox-processes.ts';
import { countSharedMemory, totalSharedMemory } from '../../disk-audit/shmem.ts';
import { createSocketCheck } from '../../disk-audit/socket-memory.ts';
import { memoryOf, useMoreThan } from '../../proc/memory.ts';
import { sendSignal } from '../../proc/processes.ts';
import type { ToolboxUsage } from '../backend.ts';
import type { SandboxLimits } from '../limits.ts';

const checkIntervalMs = 500;
/** After so many checks in a row with too much memory, killing single processes has not helped. */
const maxChecksOver = 4;
const maxDyingMs = 10_000;

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
  /** How many processes were killed here because the sandbox used too much memory. */
  oomKills(): number;
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
  let killed = 0;
  let killedAt = Number.NEGATIVE_INFINITY;
  let killedPid = 0;

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

  const tooMuchMemory = `it used more than ${Math.round(limits.memoryBytes / 1024 ** 2)} MB of memory`;

  /** Checks memory that ends with the processes that use it. A sandbox that stays over its limit is ended itself. */
  function repeatWithKills(isExceeded: () => Promise<boolean>): void {
    let checksOver = 0;
    repeat(async () => {
      const isOverNow = await isExceeded();
      if (isOverNow && isDying()) return undefined;
      checksOver = isOverNow ? checksOver + 1 : 0;
      return checksOver > maxChecksOver || (checksOver > 0 && !killLargest()) ? tooMuchMemory : undefined;
    });
  }

  repeatWithKills(
    async () =>
      measure() > limits.memoryBytes && useMoreThan(listSandboxProcesses(initPid), limits.memoryBytes),
  );
  repeatWithKills(async () => (await countWithShared()) > limits.memoryBytes);
  repeat(async () => (exceedsInSockets() ? tooMuchMemory : undefined));
  repeat(disk.check);

  /** Freeing the memory of a killed process takes a busy machine seconds. */
  function isDying(): boolean {
    if (performance.now() - killedAt > maxDyingMs) return false;
    return listSandboxProcesses(initPid).some(({ pid }) => pid === killedPid);
  }

  /** As the kernel does it: the command ends, and the toolbox, the oldest child of the init process, reports that. */
  function killLargest(): boolean {
    // The other check may just have done so for the same memory.
    if (performance.now() - killedAt < checkIntervalMs / 2) return true;
    const [toolbox] = childrenOf(initPid);
    const others = listSandboxProcesses(initPid).filter(({ pid }) => pid !== initPid && pid !== toolbox);
    const sizes = others.map(({ pid }) => ({ pid, bytes: memoryOf([{ pid }]) }));
    const largest = sizes.toSorted((one, other) => other.bytes - one.bytes)[0];
    // What was measured may have been killed since.
    if (largest === undefined || largest.bytes === 0) return performance.now() - killedAt <= maxDyingMs;
    sendSignal(largest.pid, 'SIGKILL');
    killed += 1;
    killedAt = performance.now();
    killedPid = largest.pid;
    return true;
  }

  /** Includes shared pages that no process maps any more. Returns 0 when the whole machine has too few to matter. */
  async function countWithShared(): Promise<number> {
    const processes = listSandboxProcesses(initPid);
    const own = memoryOf(processes, ['RssAnon']);
    // Without any shared pages it would be over as well: the other check handles that.
    if (own > limits.memoryBytes || own + totalSharedMemory() <= limits.memoryBytes) return 0;
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
    oomKills: () => killed,
    stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
