import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shortest = 16;

/**
 * The key of an installation that was given none: made once, since what stands on record in the place of secrets is made
 * with it, and must mean the same after a restart. Whoever calls this owns the home.
 */
export function ensureWorkerKey(home: string): string {
  const path = join(home, 'worker-key');
  const known = readKey(path);
  if (known.length >= shortest) return known;
  const key = randomBytes(32).toString('base64url');
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return key;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
