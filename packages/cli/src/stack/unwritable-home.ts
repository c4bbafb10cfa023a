/** Explains why FETTLE_HOME cannot be written, with advice instead of a stack trace. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';

const elsewhere = 'Set FETTLE_HOME to a folder that you can write to.';
const makeRoom = 'Free some space on that disk, or set FETTLE_HOME to a folder on another disk.';

const faults: Record<string, { sentence: string; advice: string }> = {
  EROFS: { sentence: 'the file system is read-only', advice: elsewhere },
  EACCES: { sentence: 'permission denied', advice: elsewhere },
  EPERM: { sentence: 'permission denied', advice: elsewhere },
  ENOTDIR: { sentence: 'part of the path is a file', advice: elsewhere },
  ENOSPC: { sentence: 'no space left on the disk', advice: makeRoom },
  EDQUOT: { sentence: 'the disk quota is exceeded', advice: makeRoom },
};

/** Creates the home and checks that it can be written, so that later steps do not fail with a less clear error. */
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

/** Returns the error itself if the disk is not its cause. */
export function explainUnwritable(folder: string, error: unknown): unknown {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  // EACCES can also come from listening on a port.
  if (!path.startsWith(folder) || (error as NodeJS.ErrnoException).syscall === 'listen') return error;
  const fault = faults[code === 'ENOENT' ? (whyNotWritable(folder) ?? code) : code];
  if (!fault) return error;
  return new CliError('home_unwritable', `${folder} cannot be written: ${fault.sentence}`, {
    exitCode: exitCodes.unavailable,
    advice: fault.advice,
  });
}

/** mkdir with `recursive` reports ENOENT whatever the cause. The nearest existing parent has the real one. */
function whyNotWritable(folder: string): string | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) return whyNotWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
