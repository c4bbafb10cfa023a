/** Cleans up mirrors: files of killed processes, and the small packs that checkpoints leave. */
import type { Stats } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../process/git-process.ts';
import { serialize } from '../process/serialize.ts';

/** Each checkpoint leaves a small pack. From this number on they slow down every lookup. */
const manyPacks = 50;
const timeoutMs = 30 * 60_000;
/** No git process of this package writes for longer without a pause. */
const idleMs = 3600_000;
/** No operation takes longer. */
const abandonedMs = 8 * 24 * 3600_000;
/** A running fast-import keeps a pack open for the next checkpoint that contains only the header. */
const packHeaderBytes = 12;

/** Removes the files of killed processes, and joins small packs when there are many. Skips packs of a running fast-import. */
export async function collectPacks(mirror: string, signal?: AbortSignal): Promise<void> {
  await removeLeftovers(mirror);
  if ((await countPacks(mirror)) < manyPacks) return;
  await serialize(`${mirror}#collect`, async () => {
    if ((await countPacks(mirror)) < manyPacks) return;
    await releaseAbandonedPacks(mirror);
    await runGit({ gitDir: mirror, args: ['repack', '--geometric=2', '-d', '--quiet'], signal, timeoutMs });
    // Two weeks is longer than any operation runs, so no object of a running operation is pruned.
    await runGit({ gitDir: mirror, args: ['prune', '--expire=2.weeks.ago'], signal, timeoutMs });
  });
}

/** Temporary files that a killed git left, for example because the disk was full. */
async function removeLeftovers(mirror: string): Promise<void> {
  await removeWhere(mirror, /^fast_import_crash_\d+$/, () => true);
  await removeWhere(packFolder(mirror), /^tmp_(pack|idx)_/, ({ size, mtimeMs }) => {
    return Date.now() - mtimeMs > (size > packHeaderBytes ? idleMs : abandonedMs);
  });
}

/** A running fast-import protects each of its packs with a `.keep` file. A killed one leaves these files behind. */
async function releaseAbandonedPacks(mirror: string): Promise<void> {
  await removeWhere(packFolder(mirror), /\.keep$/, ({ mtimeMs }) => Date.now() - mtimeMs > abandonedMs);
}

async function removeWhere(folder: string, name: RegExp, isLeft: (found: Stats) => boolean): Promise<void> {
  for (const each of await readdir(folder)) {
    if (!name.test(each)) continue;
    const path = join(folder, each);
    // Its writer may have renamed or removed it in the meantime.
    const found = await stat(path).catch(() => undefined);
    if (found && isLeft(found)) await rm(path, { force: true });
  }
}

async function countPacks(mirror: string): Promise<number> {
  const names = await readdir(packFolder(mirror));
  return names.filter((name) => name.endsWith('.pack')).length;
}

function packFolder(mirror: string): string {
  return join(mirror, 'objects', 'pack');
}
