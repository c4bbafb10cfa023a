// All processes of a sandbox, as this machine sees them. They have a process of bwrap at their head, which inherits
// every orphan, so that whoever left his parent is found below it all the same.
import { readdirSync } from 'node:fs';
import { readIfThere } from '../proc/processes.ts';

/** The same on every machine that Node runs on. */
const ticksPerSecond = 100;

export function listSandboxProcesses(head: number): { pid: number }[] {
  const found: { pid: number }[] = [];
  const waiting = [head];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.push({ pid });
    waiting.push(...childrenOf(pid));
  }
  return found;
}

/** Processor time and disk of a process and of all that it has outlived; a living child is not among them. */
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
