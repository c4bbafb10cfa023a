import { SettingsError, UnavailableError } from './read-settings.ts';

const wrongUsage = 2;
const unavailable = 4;

/** What a disk may say that no code can mend. */
const diskFaults: Record<string, string> = {
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk cannot be read or written; it may be full',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
};

/** Runs a step of a process's start. What a person can mend ends the process with that, and without a stack trace. */
export async function startOrExplain<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const sentence = error instanceof SettingsError ? error.message : explainDisk(error);
    if (sentence === undefined) throw error;
    process.stderr.write(`${sentence}\n`);
    process.exit(error instanceof UnavailableError ? unavailable : wrongUsage);
  }
}

function explainDisk(error: unknown): string | undefined {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const fault = diskFaults[code];
  return fault && `FETTLE_HOME: ${fault} (${path ?? message})`;
}
