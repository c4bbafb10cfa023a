import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface EvictOptions {
  entries: string;
  temporaryFolder: string;
  maxBytes: number;
}

/** Evicts down to this share of the limit, so that not every write evicts. */
const keptShare = 0.9;
/** No download takes longer. An older file was left by a killed process. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Removes the least recently used entries. Several processes may do this at once. */
export async function evict({ entries, temporaryFolder, maxBytes }: EvictOptions): Promise<void> {
  const abandoned = (await listFiles(temporaryFolder)).filter(
    ({ usedAtMs }) => usedAtMs < Date.now() - abandonedAfterMs,
  );
  await removeAll(abandoned);
  const files = await listFiles(entries);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  const oldestFirst = files.sort((a, b) => a.usedAtMs - b.usedAtMs);
  const victims = oldestFirst.filter(({ bytes }) => {
    if (total <= maxBytes * keptShare) return false;
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

/** Reads one folder at a time, with all its files in parallel, to bound the memory for a large cache. */
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
