/**
 * Each version of the toolbox has its own cache of compiled code, and workers of several versions may share a folder. Every
 * start of a sandbox touches its cache. A cache that has not been touched for a day belongs to an old version.
 */
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../remove-tree.ts';

const unusedMs = 24 * 3600 * 1000;
/** The suffix is that of a draft, left by a worker that was killed while it wrote the cache. */
const cacheName = /^compile-cache-[0-9a-f]{12}(\.\d+)?$/;

/** Returns false if the cache no longer exists. */
export function markUsed(cache: string, now = new Date()): boolean {
  try {
    utimesSync(cache, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export async function clearOldCaches(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => cacheName.test(each))) {
    const cache = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(cache, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > unusedMs) await removeTree(cache);
  }
}
