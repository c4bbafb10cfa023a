import { readdirSync, readFileSync } from 'node:fs';

/** The ids of all other processes whose environment or command line contains the text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readProc(pid, file).includes(text)))
    .map(Number);
}

// A process may end at any time, and those of other users cannot be read.
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
