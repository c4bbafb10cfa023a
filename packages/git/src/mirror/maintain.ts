import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../process/git-process.ts';
import { assertPrivateRef } from '../process/names.ts';
import { retryLocked } from '../process/retry-locked.ts';
import { serialize } from '../process/serialize.ts';
import { abandonedMs, removeLeftovers } from './remove-leftovers.ts';

/** Deletes a private ref; one that is not there is no error. */
export async function deleteRef(mirror: string, ref: string): Promise<void> {
  assertPrivateRef(ref);
  await retryLocked(mirror, () => runGit({ gitDir: mirror, args: ['update-ref', '-d', ref] }));
}

/** Each checkpoint leaves a small pack; from so many on they slow down every look-up. */
const manyPacks = 50;
const timeoutMs = 30 * 60_000;

/** Takes away what dead writers left, and joins small packs when there are many; those of a live writer are left to it. */
export async function collectPacks(mirror: string, signal?: AbortSignal): Promise<void> {
  await removeLeftovers(mirror);
  if ((await countPacks(mirror)) < manyPacks) return;
  await serialize(`${mirror}#collect`, async () => {
    if ((await countPacks(mirror)) < manyPacks) return;
    await releaseAbandonedPacks(mirror);
    await runGit({ gitDir: mirror, args: ['repack', '--geometric=2', '-d', '--quiet'], signal, timeoutMs });
    // Unreachable objects go after two weeks, so that nothing of a live operation can be among them.
    await runGit({ gitDir: mirror, args: ['prune', '--expire=2.weeks.ago'], signal, timeoutMs });
  });
}

/** A live fast-import keeps its packs from being joined by a `.keep` file each; a killed one leaves them for ever. */
async function releaseAbandonedPacks(mirror: string): Promise<void> {
  const folder = join(mirror, 'objects', 'pack');
  const keeps = (await readdir(folder)).filter((name) => name.endsWith('.keep'));
  for (const name of keeps) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(join(folder, name), { force: true });
  }
}

async function countPacks(mirror: string): Promise<number> {
  const names = await readdir(join(mirror, 'objects', 'pack'));
  return names.filter((name) => name.endsWith('.pack')).length;
}
