/** A disk that takes no more, or never did: what a person can do about it, in place of a stack trace. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';

const elsewhere = 'Set FETTLE_HOME to a folder that you may write to.';
const makeRoom = 'Make room on that disk, or set FETTLE_HOME to a folder on another one.';

const faults: Record<string, { sentence: string; advice: string }> = {
  EROFS: { sentence: 'the file system is read-only', advice: elsewhere },
  EACCES: { sentence: 'this user may not write there', advice: elsewhere },
  EPERM: { sentence: 'this user may not write there', advice: elsewhere },
  ENOTDIR: { sentence: 'a part of that path is a file', advice: elsewhere },
  ENOSPC: { sentence: 'there is no room left on the disk', advice: makeRoom },
  EDQUOT: { sentence: 'the disk quota is used up', advice: makeRoom },
};

/** Why nothing can be kept there, before whoever tries to says it in other words. */
export function findHomeFault(home: string): CliError | undefined {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const fault = explainUnwritable(home, error);
    return fault instanceof CliError ? fault : undefined;
  }
}

/** The error itself, where it is none that a disk makes. */
export function explainUnwritable(folder: string, error: unknown): unknown {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  // A port and a process can be denied too.
  if (!path.startsWith(folder) || (error as NodeJS.ErrnoException).syscall === 'listen') return error;
  const fault = faults[code === 'ENOENT' ? (whyNotWritable(folder) ?? code) : code];
  if (!fault) return error;
  return new CliError('home_unwritable', `${folder} cannot be written: ${fault.sentence}`, {
    exitCode: exitCodes.unavailable,
    advice: fault.advice,
  });
}

/** Making a folder with its parents fails with ENOENT, whatever the cause: the nearest one that is there knows it. */
function whyNotWritable(folder: string): string | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) return whyNotWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
