/** What a git that died in a mirror leaves there: for want of room, of all things. */
import type { Stats } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any git of ours writes without a pause. */
const idleMs = 3600_000;
/** Longer than any operation may take. */
export const abandonedMs = 8 * 24 * 3600_000;
/** A live fast-import holds a pack that has no more than its head, for the next checkpoint. */
const packHeadBytes = 12;

export async function removeLeftovers(mirror: string): Promise<void> {
  await removeWhere(mirror, /^fast_import_crash_\d+$/, () => true);
  await removeWhere(join(mirror, 'objects', 'pack'), /^tmp_(pack|idx)_/, ({ size, mtimeMs }) => {
    return Date.now() - mtimeMs > (size > packHeadBytes ? idleMs : abandonedMs);
  });
}

async function removeWhere(folder: string, name: RegExp, isLeft: (found: Stats) => boolean): Promise<void> {
  for (const each of await readdir(folder)) {
    if (!name.test(each)) continue;
    const path = join(folder, each);
    // Whoever wrote it may have finished since.
    const found = await stat(path).catch(() => undefined);
    if (found && isLeft(found)) await rm(path, { force: true });
  }
}
