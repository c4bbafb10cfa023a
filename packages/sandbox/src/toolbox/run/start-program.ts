import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Stdio } from './open-redirects.ts';
import type { ProcessFamily } from './process-family.ts';

export interface Program {
  argv: string[];
  /** The real folder. */
  folder: string;
  environment: Record<string, string>;
  stdio: Stdio;
}

export interface Ending {
  exitCode: number | null;
  signal: string | null;
}

/** Where a limit was reached before a program could be started: a shell would have been ended like this. */
export const terminatedEnding: Ending = { exitCode: null, signal: 'SIGTERM' };

export interface StartedProgram {
  started: boolean;
  /** Rejected with the system's error if it was not started. */
  ended: Promise<Ending>;
}

/** In a session of its own, and so the leader of its group. */
export function startProgram(
  { argv: [file = '', ...args], folder, environment, stdio }: Program,
  family: ProcessFamily,
): StartedProgram {
  let started = false;
  const ended = new Promise<Ending>((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, env: environment, detached: true, stdio });
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    if (child.pid === undefined) return;
    started = true;
    family.addLeader(child.pid);
    offerToKernel(child.pid);
  });
  return { started, ended };
}

/** Where memory runs out, the kernel takes a command before it takes the toolbox. */
function offerToKernel(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It is gone already, or this is no Linux.
  }
}
