/** Files that only the user may read. */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../cli-error.ts';

/** Atomic: a killed command leaves the old file or the new one. Returns its path. */
export function storePrivately(folder: string, name: string, content: string): string {
  openFolder(folder);
  const path = join(folder, name);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

/** Others could read or replace a file in a folder that is open to them, or that is a link to one of theirs. */
function openFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(folder, { mode: 0o700 });
    return;
  }
  const advice = 'Remove it, then run the command again. Nothing was stored.';
  if (found.isSymbolicLink()) throw usageError(`${folder} is a symbolic link.`, advice);
  if (!found.isDirectory()) throw usageError(`${folder} is not a folder.`, advice);
  if (found.uid !== process.getuid?.()) throw usageError(`${folder} belongs to another user.`, advice);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Whether other users of this machine can read the file. */
export function isExposed(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) !== 0;
}
