import { rm } from 'node:fs/promises';
import { runProgram } from '@fettle/process';

const environment = { PATH: '/usr/bin:/bin' };

/** Removes a folder with untrusted contents, such as folders without permissions and paths that are too long. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // Neither program follows links. Where chmod fails on files of another user, rm reports the problem.
    await runProgram(['chmod', '-R', 'u+rwx', '--', path], { environment });
    const { exitCode, stderr } = await runProgram(['rm', '-rf', '--', path], { environment });
    if (exitCode !== 0) throw new Error(`${path} could not be removed: ${stderr.trim()}`);
  }
}
