import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** Removes a folder in which anybody may have made anything: folders that cannot be entered, paths too long to name. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // Both walk from folder to folder without following a link; chmod may fail on what is not ours, rm then says so.
    await runFile('chmod', ['-R', 'u+rwx', '--', path]).catch(() => {});
    await runFile('rm', ['-rf', '--', path]);
  }
}
