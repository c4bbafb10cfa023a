// All processes of a sandbox, as this machine sees them. They have a process of bwrap at their head, which inherits
// every orphan, so that whoever left his parent is found below it all the same.
import { readdirSync, readFileSync } from 'node:fs';

export function listSandboxProcesses(head: number): { pid: number }[] {
  const found: { pid: number }[] = [];
  const waiting = [head];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.push({ pid });
    waiting.push(...childrenOf(pid));
  }
  return found;
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    readIfThere(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
