import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const minLength = 16;

/**
 * The key for an installation without FETTLE_WORKER_KEY. It is generated once and kept: the placeholders that replace
 * secrets in the record are derived from it and must stay the same after a restart. The caller must own the home.
 */
export function ensureWorkerKey(home: string): string {
  const path = join(home, 'worker-key');
  const known = readKey(path);
  if (known.length >= minLength) return known;
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
