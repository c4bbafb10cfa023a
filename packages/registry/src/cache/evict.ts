import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface EvictOptions {
  entries: string;
  temporaryFolder: string;
  maxBytes: number;
}

/** Some room is made at once, so that not every write has to. */
const KEPT_SHARE = 0.9;
/** No download takes longer: what is older was left by a process that was killed. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Removes what was not used for longest. Several processes may do this at once: what is gone is gone. */
export async function evict({ entries, temporaryFolder, maxBytes }: EvictOptions): Promise<void> {
  const abandoned = (await listFiles(temporaryFolder)).filter(
    ({ usedAtMs }) => usedAtMs < Date.now() - ABANDONED_AFTER_MS,
  );
  await removeAll(abandoned);
  const files = await listFiles(entries);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  const oldestFirst = files.sort((a, b) => a.usedAtMs - b.usedAtMs);
  const victims = oldestFirst.filter(({ bytes }) => {
    if (total <= maxBytes * KEPT_SHARE) return false;
    total -= bytes;
    return true;
  });
  await removeAll(victims);
}

interface StoredFile {
  path: string;
  bytes: number;
  usedAtMs: number;
}

/** Folder by folder, so that a large cache takes little memory and not one turn of the disk for each file. */
async function listFiles(folder: string): Promise<StoredFile[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    found.filter((entry) => entry.isFile()).map((entry) => readStored(join(folder, entry.name))),
  );
  const below: StoredFile[] = [];
  for (const entry of found) {
    if (entry.isDirectory()) below.push(...(await listFiles(join(folder, entry.name))));
  }
  return [...files.flat(), ...below];
}

async function readStored(path: string): Promise<StoredFile[]> {
  const known = await stat(path).catch(() => undefined);
  return known === undefined ? [] : [{ path, bytes: known.size, usedAtMs: known.atimeMs }];
}

async function removeAll(files: StoredFile[]): Promise<void> {
  for (const { path } of files) await rm(path, { force: true });
}
