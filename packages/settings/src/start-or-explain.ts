import { SettingsError } from './read-settings.ts';

const wrongUsage = 2;

/** Runs a step of a process's start. A wrong setting ends the process with what is wrong, and without a stack trace. */
export async function startOrExplain<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(wrongUsage);
  }
}
