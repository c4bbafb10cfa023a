// All processes of a user are stopped in one step, by one of that user: whoever is just being made is stopped too, which no
// list of processes could promise. Where no user of its own stands in, this would stop the worker.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { HoldStill } from '../../disk-audit/disk-usage.ts';

const runFile = promisify(execFile);

export function stopperOf(user: number): HoldStill | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return async (work) => {
    await signalAll(user, 'STOP');
    try {
      return await work();
    } finally {
      await signalAll(user, 'CONT');
    }
  };
}

async function signalAll(user: number, signal: 'STOP' | 'CONT'): Promise<void> {
  const become = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  // None to be signalled is no failure: the sandbox may have ended.
  await runFile('setpriv', [...become, '/bin/sh', '-c', `kill -${signal} -1 || :`], { timeout: 10_000 });
}
