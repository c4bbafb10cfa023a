/** One process per FETTLE_HOME: two processes on one embedded database lose rows without an error. */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { findLivingOwner, type OwnerLock, takeOwnership } from '@fettle/owner-lock';
import { CliError, exitCodes } from '../cli-error.ts';
import { explainUnwritable } from './unwritable-home.ts';

const pathIn = (home: string) => join(home, 'run', 'owner.json');

export function lockHome(home: string): { release(): void } {
  const path = pathIn(home);
  const lock = takeLock(home, path);
  if (lock.ok) return lock;
  const owner = lock.owner ? `process ${lock.owner.pid} on ${lock.owner.host}` : 'another process';
  // A process on another host may be dead: it cannot be checked from here.
  const isRemote = lock.owner && lock.owner.host !== hostname();
  const ifDead = isRemote ? `. If that process is certainly gone, remove ${path}` : '';
  throw new CliError('home_in_use', `${home} is in use by ${owner}`, {
    exitCode: exitCodes.unavailable,
    advice: `Wait for it, or start 'fettle up' once and let every command use that server${ifDead}.`,
  });
}

/** Whether this process is alive and owns the home. */
export function isHeldBy(home: string, pid: number): boolean {
  return findLivingOwner(pathIn(home))?.pid === pid;
}

function takeLock(home: string, path: string): OwnerLock {
  try {
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
    return takeOwnership(path);
  } catch (error) {
    throw explainUnwritable(home, error);
  }
}
