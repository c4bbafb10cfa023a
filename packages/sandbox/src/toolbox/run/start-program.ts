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

/** For a limit that is reached before a program starts: a shell would have been terminated like this. */
export const terminatedEnding: Ending = { exitCode: null, signal: 'SIGTERM' };

export interface StartedProgram {
  started: boolean;
  /** Rejects with the system's error if the program could not be started. */
  ended: Promise<Ending>;
}

/** Starts a program in its own session, as the leader of its process group. */
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
    preferForOomKiller(child.pid);
  });
  return { started, ended };
}

/** When memory runs out, the kernel kills commands before the toolbox. */
function preferForOomKiller(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It has already exited, or this is not Linux.
  }
}
