/** One owner per FETTLE_HOME: two processes on one embedded database lose rows without an error. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnerLock, takeOwnership } from '@fettle/owner-lock';
import { CliError, exitCodes } from '../cli-error.ts';
import { explainUnwritable } from './unwritable-home.ts';

export function lockHome(home: string): { release(): void } {
  const path = join(home, 'run', 'owner.json');
  const lock = takeLock(home, path);
  if (lock.ok) return lock;
  const who = lock.owner ? `process ${lock.owner.pid} on ${lock.owner.host}` : 'another process';
  throw new CliError('home_in_use', `${home} is in use by ${who}`, {
    exitCode: exitCodes.unavailable,
    advice: `Wait for it, or start 'fettle up' once and let every command use that server; if the process is gone for certain, remove ${path}.`,
  });
}

function takeLock(home: string, path: string): OwnerLock {
  try {
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
    return takeOwnership(path);
  } catch (error) {
    throw explainUnwritable(home, error);
  }
}
