/** Folders for what is needed for a moment. Their names say whose they are, so that those of the dead can be found. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

export function makeScratchFolder(purpose: 'git' | 'inspect'): Promise<string> {
  return mkdtemp(join(tmpdir(), `fettle-${purpose}-${process.pid}-`));
}

/** Removes what processes left behind that were killed before they could. */
export async function clearScratchFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^fettle-(?:git|inspect)-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // One that belongs to somebody else is theirs to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}
