// A worker may have been started with files open that it knows nothing of: those of a shell, a service manager, a
// wrapper. Node closes only the first few of them on the way to a child. A sandbox must get none: a handle is a way to
// its file without a path and without a permission, and one of a folder leads out of every wall.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2_000_000;

/** Calls `start` with the same handles for the child, and nothing in the place of every one that it would inherit. */
export function withoutInherited<Handle, Result>(
  handles: readonly Handle[],
  start: (handles: (Handle | 'ignore' | number)[]) => Result,
): Result {
  const inherited = listInheritable().filter((fd) => fd >= handles.length);
  const nothing = openSync('/dev/null', 'r');
  try {
    const all: (Handle | 'ignore' | number)[] = [...handles];
    // To leave one out means that it stays as it is, which is right for those that are closed on the way.
    for (let fd = handles.length; fd <= Math.max(-1, ...inherited); fd += 1) {
      all.push(inherited.includes(fd) ? nothing : 'ignore');
    }
    return start(all);
  } finally {
    closeSync(nothing);
  }
}

/** None where there is no /proc: only bubblewrap has walls without an engine, and that is on Linux. */
function listInheritable(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter(isInheritable);
  } catch {
    return [];
  }
}

function isInheritable(fd: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // It was the list's own.
    return false;
  }
}
