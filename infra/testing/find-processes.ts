import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface FoundProcess {
  pid: number;
  command: string;
}

/**
 * The processes, this one excepted, with a marker in their environment, command line or working folder. Each
 * of the three is looked at because sandboxes start programs with an environment of their own. None where
 * there is no /proc (macOS).
 */
export function findProcesses(marker: string): FoundProcess[] {
  const pids = tryRead(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    if (pid === process.pid) return [];
    const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const cwd = tryRead(() => readlinkSync(`/proc/${pid}/cwd`), '');
    const traces = [command, cwd, readProc(pid, 'environ')];
    // A zombie has no command line: it ended, and only its parent has not asked yet.
    return command && traces.some((trace) => trace.includes(marker)) ? [{ pid, command }] : [];
  });
}

function readProc(pid: number, name: string): string {
  return tryRead(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'), '');
}

// A process may end between two looks, and those of other users may not be looked at.
function tryRead<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
