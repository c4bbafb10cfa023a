/**
 * Binds the toolbox, and so every command, to as many CPUs as the sandbox may use. Otherwise test runners, make and compilers
 * see all of the machine's, and start far more workers than the limits of the sandbox let run. The limit itself is the
 * control group's: a program may undo this.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const timeoutMs = 2_000;

/** Any of them, so that sandboxes do not share one while others are idle. */
export function limitCpus(count: number, random = Math.random()): void {
  const allowed = listAllowedCpus();
  if (!(count > 0) || count >= allowed.length) return;
  const first = Math.floor(random * allowed.length);
  const chosen = Array.from({ length: count }, (_, index) => allowed[(first + index) % allowed.length]);
  // Without taskset, programs see all CPUs, as before.
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', chosen.join(','), String(process.pid)], {
    stdio: 'ignore',
    timeout: timeoutMs,
  });
}

/** Parses `0-3,8`. */
function listAllowedCpus(): number[] {
  try {
    const text = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
    return text.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  } catch {
    return [];
  }
}
