import { readdirSync, readFileSync } from 'node:fs';

/** The ids of the processes, this one excepted, that have the words in their environment or command line. */
export function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readProc(pid, file).includes(words)))
    .map(Number);
}

// A process may end between two looks, and those of other users may not be looked at.
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
