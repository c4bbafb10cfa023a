// Files that were removed while a process has them open: no walk through a folder finds them.
import { readdirSync, type Stats, statSync } from 'node:fs';

/** On the disk, each counted once, however many processes have it. */
export function namelessBytes(processes: { pid: number }[]): number {
  const files = new Map<string, number>();
  for (const { pid } of processes) {
    for (const fd of listHandles(pid)) {
      const stat = look(`/proc/${pid}/fd/${fd}`);
      if (stat?.isFile() && stat.nlink === 0) files.set(`${stat.dev}:${stat.ino}`, stat.blocks * 512);
    }
  }
  return files.values().reduce((sum, bytes) => sum + bytes, 0);
}

/** None of a process that is gone. */
function listHandles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

/** Undefined for a handle that is closed by now. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
