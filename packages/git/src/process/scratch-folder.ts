/** Temporary folders with the process id in their name, so that those of killed processes can be found. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function makeScratchFolder(purpose: 'git' | 'inspect'): Promise<string> {
  return mkdtemp(join(tmpdir(), `fettle-${purpose}-${process.pid}-`));
}

/** Removes the folders of processes that were killed. */
export async function clearScratchFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^fettle-(?:git|inspect)-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Fails for a folder of another user.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
