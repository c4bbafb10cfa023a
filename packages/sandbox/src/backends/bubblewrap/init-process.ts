/**
 * Finds the init process of a sandbox: process 1 of its pid namespace. bwrap could report its pid (`--info-fd`), but bwrap
 * dies when the worker that should read it is gone, and then leaves a process behind that waits forever. So we poll /proc.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from '../../disk-audit/sandbox-processes.ts';
import { readIfThere, startTimeOf } from '../../proc/processes.ts';

export interface InitProcess {
  /** As seen from this machine, outside of the namespace. */
  pid: number;
  startTime: number;
}

/** Short, because the toolbox, a child of the init process, takes many times as long to start. */
const pollIntervalMs = 2;

/** Undefined when bwrap exits before it has created one. */
export async function waitForInitProcess(bwrap: ChildProcess): Promise<InitProcess | undefined> {
  let hasExited = bwrap.pid === undefined;
  bwrap.once('exit', () => {
    hasExited = true;
  });
  while (!hasExited) {
    const found = findInitProcess(bwrap.pid as number);
    if (found !== undefined) return found;
    await delay(pollIntervalMs);
  }
  return undefined;
}

function findInitProcess(bwrap: number): InitProcess | undefined {
  // The same pid first runs a shell and setpriv, which have children too.
  if (readIfThere(`/proc/${bwrap}/comm`)?.trim() !== 'bwrap') return undefined;
  const [pid] = childrenOf(bwrap);
  const startTime = pid === undefined ? undefined : startTimeOf(pid);
  return pid === undefined || startTime === undefined ? undefined : { pid, startTime };
}
