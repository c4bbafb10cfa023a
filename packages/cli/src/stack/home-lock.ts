/** One owner per FETTLE_HOME: two processes on one embedded database lose rows without an error. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeOwnership } from '@fettle/owner-lock';
import { CliError, exitCodes } from '../cli-error.ts';

export function lockHome(home: string): { release(): void } {
  const folder = join(home, 'run');
  makeFolder(folder);
  const path = join(folder, 'owner.json');
  const lock = takeOwnership(path);
  if (lock.ok) return lock;
  const who = lock.owner ? `process ${lock.owner.pid} on ${lock.owner.host}` : 'another process';
  throw new CliError('home_in_use', `${home} is in use by ${who}`, {
    exitCode: exitCodes.unavailable,
    advice: `Wait for it, or start 'fettle up' once and let every command use that server; if the process is gone for certain, remove ${path}.`,
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('home_in_use', `${folder} cannot be made (${code})`, {
      exitCode: exitCodes.unavailable,
      advice: 'Set FETTLE_HOME to a folder that you may write to.',
    });
  }
}
