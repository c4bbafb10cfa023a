/** One owner per FETTLE_HOME: two processes on one embedded database lose rows without an error. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    const code = whyNotWritable(folder) ?? (error as NodeJS.ErrnoException).code ?? '';
    throw new CliError('home_in_use', `${folder} cannot be made: ${sentences[code] ?? code}`, {
      exitCode: exitCodes.unavailable,
      advice: 'Set FETTLE_HOME to a folder that you may write to.',
    });
  }
}

const sentences: Record<string, string> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  ENOSPC: 'there is no room left on the disk',
  ENOTDIR: 'a part of that path is a file',
};

/** Making a folder with its parents fails with ENOENT, whatever the cause: the nearest one that is there knows it. */
function whyNotWritable(folder: string): string | undefined {
  const parent = dirname(folder);
  if (!existsSync(parent) && parent !== folder) return whyNotWritable(parent);
  try {
    accessSync(parent, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
