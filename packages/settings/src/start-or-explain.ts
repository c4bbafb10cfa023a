import { SettingsError, UnavailableError } from './read-settings.ts';

const usageExitCode = 2;
const unavailableExitCode = 4;

/** Errors of the disk that only the operator can fix. */
const diskErrors: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is exceeded',
  EIO: 'the disk cannot be read or written; it may be full',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
};

/** Runs a start-up step. An error that the operator can fix ends the process with one sentence and no stack trace. */
export async function startOrExplain<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const sentence = error instanceof SettingsError ? error.message : explainDisk(error);
    if (sentence === undefined) throw error;
    process.stderr.write(`${sentence}\n`);
    process.exit(error instanceof UnavailableError ? unavailableExitCode : usageExitCode);
  }
}

function explainDisk(error: unknown): string | undefined {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const sentence = diskErrors[code];
  return sentence && `FETTLE_HOME: ${sentence} (${path ?? message})`;
}
