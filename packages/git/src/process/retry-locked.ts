import { stat, unlink } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GitError } from './git-error.ts';

const delaysMs = [10, 20, 40, 80, 160, 320, 640, 1280, 2560];
/** A lock older than this belongs to a process that was killed. The first match wins. */
const staleAges: { match: RegExp; ms: number }[] = [
  // Held for milliseconds.
  { match: /^(refs\/.*|packed-refs)\.lock$/, ms: 3_000 },
  // Held briefly at the end of a fetch.
  { match: /^shallow\.lock$/, ms: 60_000 },
  // No git process of this package runs longer.
  { match: /\.lock$/, ms: 31 * 60_000 },
];

/** Retries while another git process holds a lock on the mirror, and removes the locks of killed processes. */
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
  const place = path && placeIn(mirror, path);
  const age = place && staleAges.find(({ match }) => match.test(place));
  if (!age) return;
  const found = await stat(path).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > age.ms) await unlink(path).catch(() => {});
}

/** Undefined for a lock outside of the mirror: git reports a lock in the source with the same message. */
function placeIn(mirror: string, path: string): string | undefined {
  const place = relative(resolve(mirror), resolve(path));
  return place === '..' || place.startsWith(`..${sep}`) ? undefined : place.split(sep).join('/');
}
