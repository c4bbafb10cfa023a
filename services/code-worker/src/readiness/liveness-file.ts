/** A file for external health checks. A process that runs proves little, so it is written only after each check of readiness. */
import { utimes, writeFile } from 'node:fs/promises';

/** Long ago, for health checks that look only at the age of the file. */
const never = new Date(0);

/**
 * Empty and new while the worker can work. Otherwise it holds the reasons, one per line, and is old. If the worker hangs, it
 * becomes old by itself.
 */
export async function writeLivenessFile(path: string, problems: readonly string[]): Promise<void> {
  await writeFile(path, problems.map((each) => `${each}\n`).join(''));
  if (problems.length > 0) await utimes(path, never, never);
}
