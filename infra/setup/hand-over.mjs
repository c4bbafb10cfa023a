import { runChild } from './child.mjs';
import { findProgram, workspacePath } from './places.mjs';
import { SetupFailure } from './progress.mjs';

/** Replaces this process with the program (Node 22.15 and newer), or runs it as a child. */
export async function handOver(program, args) {
  const file = findProgram(program, workspacePath);
  if (!file) {
    throw new SetupFailure(`'${program}' is neither in this workspace nor on the PATH.`, {
      advice: "Check the scripts in package.json, or run 'npm run setup' first.",
    });
  }
  const env = { ...process.env, PATH: workspacePath };
  if (process.execve) process.execve(file, [program, ...args], env);
  const { code, signal } = await runChild(file, args, { env, stdio: 'inherit' });
  // End with the same signal, so that the parent process sees it.
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code;
}
