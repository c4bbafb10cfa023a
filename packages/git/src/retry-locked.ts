import { stat, unlink } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GitError } from './git-error.ts';

const delaysMs = [10, 20, 40, 80, 160, 320, 640, 1280, 2560];
/** Git holds a ref's lock for milliseconds; one this old was left behind by a killed process. */
const staleAfterMs = 3_000;

/** Tries again while another git process holds a lock of the mirror, and clears locks of dead ones. */
export async function retryLocked<T>(mirror: string, attempt: () => Promise<T>): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'locked') throw error;
      await removeStaleLock(mirror, error.detail);
      await delay(delayMs);
    }
  }
  return attempt();
}

async function removeStaleLock(mirror: string, stderr: string): Promise<void> {
  const path = /Unable to create '([^']+\.lock)'/.exec(stderr)?.[1];
  if (!path || !isRefLock(mirror, resolve(path))) return;
  const found = await stat(path).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > staleAfterMs) await unlink(path).catch(() => {});
}

function isRefLock(mirror: string, path: string): boolean {
  return (
    path.startsWith(join(resolve(mirror), 'refs') + sep) || path === join(resolve(mirror), 'packed-refs.lock')
  );
}
