/** Identifies a process by its id and its start time, because ids are reused. */
import { readFileSync } from 'node:fs';
import { readOutputSync } from '@fettle/process/sync';

/** Undefined if the process does not exist. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22. Field 2, the name, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds no resources any more.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  const environment = { PATH: '/usr/bin:/bin' };
  return readOutputSync(['ps', '-o', 'lstart=', '-p', String(pid)], { environment })?.trim() || undefined;
}
