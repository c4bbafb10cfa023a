import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The token of the first admin, created once and kept in a file that only its owner can read. */
export function ensureAdminToken(home: string): string {
  const path = join(home, 'admin-token');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `fettle_${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

/** Tokens are long and random, so a plain hash protects them in the database. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
