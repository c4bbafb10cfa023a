/**
 * All processes of a sandbox, as this machine sees them. The sandbox's init process inherits every orphan, so all of them
 * are its descendants.
 */
import { readdirSync } from 'node:fs';
import { readIfThere } from '../proc/processes.ts';

/** USER_HZ is 100 on every Linux platform that Node supports. */
const ticksPerSecond = 100;

export function listSandboxProcesses(initPid: number): { pid: number }[] {
  const found: { pid: number }[] = [];
  const waiting = [initPid];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.push({ pid });
    waiting.push(...childrenOf(pid));
  }
  return found;
}

/** CPU time and I/O of a process and of its children that have ended. Living children are not included. */
export function spentBy({ pid }: { pid: number }): { cpuMs: number; ioBytes: number } {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? '';
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
  const io = readIfThere(`/proc/${pid}/io`) ?? '';
  const ioBytes = [...io.matchAll(/^(?:read|write)_bytes: (\d+)$/gm)].reduce(
    (sum, [, bytes]) => sum + Number(bytes),
    0,
  );
  return { cpuMs: (ticks || 0) * (1000 / ticksPerSecond), ioBytes };
}

export function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    (readIfThere(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
