/** Allows one process per PGlite folder. Two of them lose rows without an error. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeOwnership } from '@fettle/owner-lock';
import { DatabaseError } from '../errors.ts';

export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const lock = takeOwnership(path);
  if (lock.ok) return lock;
  const who = lock.owner ? `process ${lock.owner.pid} on ${lock.owner.host}` : 'another process';
  throw new DatabaseError(
    'in_use',
    `The database folder ${folder} is in use by ${who}. Stop it first. If it is certain that it has ended, remove ${path}.`,
  );
}
