import { memoryOf, sendSignal, signalProcess } from '../../proc/processes.ts';
import type { ProcessFamily } from './process-family.ts';

/** How long a command may take to end by itself: at its limit, and when somebody waits for its end. */
const graceMs = { timeout: 2000, cancelled: 500, memory: 0 };
const memoryCheckMs = 250;

type StopReason = 'timeout' | 'cancelled' | 'memory';

export interface Limits {
  timeoutMs: number;
  memoryBytes: number;
  /** Aborted when the host gives up. */
  signal: AbortSignal;
}

export interface LimitWatch {
  /** Aborted at the first limit: nothing more is to be started. */
  signal: AbortSignal;
  /** The command has ended; says what ended it, if it was not itself. */
  settle(): StopReason | undefined;
}

/** Notes the reason before it kills, so that the end of the command can be told from one of its own. */
export function stopOnLimit(family: ProcessFamily, { timeoutMs, memoryBytes, signal }: Limits): LimitWatch {
  const stopped = new AbortController();
  let reason: StopReason | undefined;
  let hardStop: NodeJS.Timeout | undefined;

  function stop(why: StopReason): void {
    if (reason !== undefined) return;
    reason = why;
    stopped.abort();
    const groups = family.groups();
    const outside = family.find().filter(({ group }) => !groups.includes(group));
    for (const group of groups) sendSignal(-group, 'SIGTERM');
    for (const info of outside) signalProcess(info, 'SIGTERM');
    hardStop = setTimeout(() => {
      for (const group of family.groups()) sendSignal(-group, 'SIGKILL');
    }, graceMs[why]);
  }

  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  const look = () => memoryOf(family.find()) > memoryBytes && stop('memory');
  const memoryTimer = memoryBytes > 0 ? setInterval(look, memoryCheckMs) : undefined;
  const onAbort = (): void => stop('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    signal: stopped.signal,
    settle() {
      clearTimeout(timer);
      clearInterval(memoryTimer);
      clearTimeout(hardStop);
      signal.removeEventListener('abort', onAbort);
      return reason;
    },
  };
}
