/** Measures how much disk space a folder takes, and when it was last used. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Measured {
  bytes: number;
  usedAtMs: number;
}

export interface Entry extends Measured {
  path: string;
}

interface MeasureOptions {
  /** Reading counts as use, not only writing. */
  byAccess?: boolean;
}

/** The unit of `blocks`, whatever the file system. */
const blockBytes = 512;

/** What disappears meanwhile counts as empty: a server may run. Symbolic links are not followed. */
export async function measure(path: string, { byAccess = false }: MeasureOptions = {}): Promise<Measured> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return { bytes: 0, usedAtMs: 0 };
  const isFolder = found.isDirectory();
  // Listing a folder sets its access time.
  const readAtMs = byAccess && !isFolder ? found.atimeMs : 0;
  const whole = { bytes: found.blocks * blockBytes, usedAtMs: Math.max(found.mtimeMs, readAtMs) };
  if (!isFolder) return whole;
  for (const { bytes, usedAtMs } of await listEntries(path, { byAccess })) {
    whole.bytes += bytes;
    whole.usedAtMs = Math.max(whole.usedAtMs, usedAtMs);
  }
  return whole;
}

/** The entries of a folder; none if it does not exist. One at a time, which bounds the number of open files. */
export async function listEntries(folder: string, options: MeasureOptions = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    entries.push({ path, ...(await measure(path, options)) });
  }
  return entries;
}
