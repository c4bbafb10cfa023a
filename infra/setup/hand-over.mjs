import { runChild } from './child.mjs';
import { findProgram, workspacePath } from './places.mjs';
import { SetupFailure } from './progress.mjs';

/** Becomes the program where this Node can (22.15 and newer), else stands in front of it. */
export async function handOver(program, args) {
  const file = findProgram(program, workspacePath);
  if (!file) {
    throw new SetupFailure(`There is no program '${program}' in this workspace or on the PATH.`, {
      advice: "Look at the scripts of package.json, or run 'npm run setup' first.",
    });
  }
  const env = { ...process.env, PATH: workspacePath };
  if (process.execve) process.execve(file, [program, ...args], env);
  const { code, signal } = await runChild(file, args, { env, stdio: 'inherit' });
  // Die of the same signal, so that whoever waits for this process sees what really happened.
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code;
}
