/** A process id is used again sooner or later; together with the time of its start it is not. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromKernel(pid) : fromProcessList(pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to somebody else, and so it lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fromKernel(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the second one, the name, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function fromProcessList(pid: number): string | undefined {
  try {
    const listed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed.trim() || undefined;
  } catch {
    return undefined;
  }
}
