// All processes of a sandbox, as this machine sees them. They have a process of bwrap at their head, which inherits
// every orphan, so that whoever left his parent is found below it all the same.
import { readdirSync, readFileSync } from 'node:fs';

export interface SandboxProcess {
  pid: number;
  /** Memory that is its own: neither a program's text nor a file's pages. */
  memoryBytes: number;
}

export function listSandboxProcesses(head: number): SandboxProcess[] {
  const found: SandboxProcess[] = [];
  const waiting = [head];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.push({ pid, memoryBytes: ownMemoryOf(pid) });
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

function ownMemoryOf(pid: number): number {
  const status = readIfThere(`/proc/${pid}/status`);
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
