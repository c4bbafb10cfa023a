/**
 * Starts a toolbox as a child process of the worker. It uses node:child_process and not @fettle/process, because the
 * child needs exact control over every file descriptor: the seccomp filter is passed on as one, and all that the worker
 * inherited must be closed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createBoundedOutput } from '../protocol/bounded-output.ts';

const maxErrorBytes = 8192;
const closeOnExec = 0o2_000_000;

export interface SpawnOptions {
  cwd: string;
  env: Record<string, string>;
  /** An open file that the child gets as file descriptor 3. */
  extraFd?: number;
}

export interface ToolboxChild {
  process: ChildProcess;
  /** Appends a sentence to the child's standard error. */
  addNote(text: string): void;
  errorOutput(): string;
  exited: Promise<void>;
}

export function spawnToolbox(argv: string[], { cwd, env, extraFd }: SpawnOptions): ToolboxChild {
  const handles = ['pipe', 'pipe', 'pipe', ...(extraFd === undefined ? [] : [extraFd])] as const;
  const child = withoutInheritedFiles(handles, (stdio) =>
    // In a session of its own, so that a Ctrl-C in the worker's terminal does not stop the toolbox in the middle of a call.
    spawn(argv[0] as string, argv.slice(1), { cwd, env, stdio, detached: true }),
  );
  const errors = createBoundedOutput(maxErrorBytes);
  const addNote = (text: string) => errors.push(Buffer.from(text));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  // A failed start also shows as the end of the streams.
  child.on('error', (error) => addNote(error.message));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const errorOutput = () => Buffer.concat([errors.head(), errors.tail()]).toString('utf8');
  return { process: child, addNote, errorOutput, exited };
}

/** Closes the toolbox's input, gives it `graceMs` to exit by itself, then kills it. */
export async function endToolbox({ process: child, exited }: ToolboxChild, graceMs: number): Promise<void> {
  child.stdin?.end();
  if (graceMs > 0) {
    const timer = new AbortController();
    const waited = delay(graceMs, undefined, { signal: timer.signal, ref: false }).catch(() => {});
    await Promise.race([exited, waited]);
    timer.abort();
  }
  child.kill('SIGKILL');
  await exited;
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * The worker may have inherited open files from a shell, a service manager or a wrapper. Node closes only some of them
 * when it starts a child. A sandbox must get none: an open file needs no path and no permission, and an open folder leads
 * out of the sandbox. So `start` gets the same handles, followed by /dev/null for every inherited descriptor.
 */
function withoutInheritedFiles<Handle, Result>(
  handles: readonly Handle[],
  start: (handles: (Handle | 'ignore' | number)[]) => Result,
): Result {
  const inherited = listInheritable().filter((fd) => fd >= handles.length);
  const devNull = openSync('/dev/null', 'r');
  try {
    const all: (Handle | 'ignore' | number)[] = [...handles];
    // 'ignore' leaves a descriptor as it is, which is right for those that are closed on exec.
    for (let fd = handles.length; fd <= Math.max(-1, ...inherited); fd += 1) {
      all.push(inherited.includes(fd) ? devNull : 'ignore');
    }
    return start(all);
  } finally {
    closeSync(devNull);
  }
}

/** Returns none where there is no /proc. Bubblewrap, the only backend that isolates with a child process, needs Linux. */
function listInheritable(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter(isInheritable);
  } catch {
    return [];
  }
}

function isInheritable(fd: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The descriptor of the directory listing itself, which is closed by now.
    return false;
  }
}
