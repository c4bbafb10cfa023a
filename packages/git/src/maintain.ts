import { runGit } from './git-process.ts';
import { assertPrivateRef } from './names.ts';
import { retryLocked } from './retry-locked.ts';

/** Deletes a private ref; one that is not there is no error. */
export async function deleteRef(mirror: string, ref: string): Promise<void> {
  assertPrivateRef(ref);
  await retryLocked(mirror, () => runGit({ gitDir: mirror, args: ['update-ref', '-d', ref] }));
}

/**
 * Packs what checkpoints leave behind (about five loose objects each), and removes unreachable objects and
 * half-written packs once they are two weeks old, so that nothing of a live operation can be among them.
 */
export async function collectLoose(mirror: string, signal?: AbortSignal): Promise<void> {
  const timeoutMs = 30 * 60_000;
  await runGit({ gitDir: mirror, args: ['repack', '-d', '--quiet'], signal, timeoutMs });
  await runGit({ gitDir: mirror, args: ['prune', '--expire=2.weeks.ago'], signal, timeoutMs });
}
