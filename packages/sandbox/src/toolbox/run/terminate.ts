import { useMoreThan } from '../../proc/memory.ts';
import { sendSignal, signalProcess } from '../../proc/processes.ts';
import type { ProcessFamily } from './process-family.ts';

/** How long a command may take to exit after SIGTERM, before SIGKILL. */
const graceMs = { timeout: 2000, cancelled: 500, memory: 0 };
const memoryCheckMs = 250;

type StopReason = 'timeout' | 'cancelled' | 'memory';

export interface Limits {
  timeoutMs: number;
  memoryBytes: number;
  /** Aborted when the host cancels. */
  signal: AbortSignal;
}

export interface LimitWatch {
  /** Aborted at the first limit: no more programs may be started. */
  signal: AbortSignal;
  /** Call this when the command has ended. Returns why it was terminated, if it was. */
  settle(): StopReason | undefined;
}

/** Records the reason before it kills, so that a termination can be distinguished from an exit of the command itself. */
export function terminateOnLimit(
  family: ProcessFamily,
  { timeoutMs, memoryBytes, signal }: Limits,
): LimitWatch {
  const stopped = new AbortController();
  let reason: StopReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;

  function terminate(why: StopReason): void {
    if (reason !== undefined) return;
    reason = why;
    stopped.abort();
    const groups = family.groups();
    const outside = family.find().filter(({ group }) => !groups.includes(group));
    for (const group of groups) sendSignal(-group, 'SIGTERM');
    for (const info of outside) signalProcess(info, 'SIGTERM');
    killTimer = setTimeout(() => {
      for (const group of family.groups()) sendSignal(-group, 'SIGKILL');
    }, graceMs[why]);
  }

  const timer = setTimeout(() => terminate('timeout'), timeoutMs);
  const checkMemory = () => useMoreThan(family.find(), memoryBytes) && terminate('memory');
  const memoryTimer = memoryBytes > 0 ? setInterval(checkMemory, memoryCheckMs) : undefined;
  const onAbort = (): void => terminate('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    signal: stopped.signal,
    settle() {
      clearTimeout(timer);
      clearInterval(memoryTimer);
      clearTimeout(killTimer);
      signal.removeEventListener('abort', onAbort);
      return reason;
    },
  };
}
