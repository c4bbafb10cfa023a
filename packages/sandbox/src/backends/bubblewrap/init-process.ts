// The process at the head of a sandbox's own numbering, by its number here. bwrap would tell it (`--info-fd`), but dies of
// telling it to a worker that is gone, and leaves a process behind that waits for bwrap's word for good. So we look.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from '../../disk-audit/sandbox-processes.ts';
import { readIfThere, startTimeOf } from '../../proc/processes.ts';

export interface Head {
  pid: number;
  startTime: number;
}

/** The toolbox, which is the head's child, takes many times as long to start. */
const checkIntervalMs = 2;

/** Undefined where none came to be before the end. */
export async function awaitHead(bwrap: ChildProcess): Promise<Head | undefined> {
  let isOver = bwrap.pid === undefined;
  bwrap.once('exit', () => {
    isOver = true;
  });
  while (!isOver) {
    const head = findHead(bwrap.pid as number);
    if (head !== undefined) return head;
    await delay(checkIntervalMs);
  }
  return undefined;
}

/** What comes before bwrap in the same process has children, too. */
function findHead(bwrap: number): Head | undefined {
  if (readIfThere(`/proc/${bwrap}/comm`)?.trim() !== 'bwrap') return undefined;
  const [pid] = childrenOf(bwrap);
  const startTime = pid === undefined ? undefined : startTimeOf(pid);
  return pid === undefined || startTime === undefined ? undefined : { pid, startTime };
}
