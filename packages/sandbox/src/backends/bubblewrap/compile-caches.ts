// Each version of the toolbox has a cache of compiled code, and workers of several versions may share a place. Every start
// of a sandbox marks its cache as used; what nobody has used for long belongs to a version that is gone.
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../remove-tree.ts';

const unusedMs = 24 * 3600 * 1000;
/** Also a draft, whose worker was killed while it was made. */
const cacheName = /^compile-cache-[0-9a-f]{12}(\.\d+)?$/;

/** False where it is not there any more. */
export function markUsed(cache: string, now = new Date()): boolean {
  try {
    utimesSync(cache, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export async function clearOldCaches(place: string): Promise<void> {
  for (const name of readdirSync(place).filter((each) => cacheName.test(each))) {
    const cache = join(place, name);
    const { mtimeMs = Date.now() } = statSync(cache, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > unusedMs) await removeTree(cache);
  }
}
