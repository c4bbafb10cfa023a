/** Starts a program with execa and returns its streams. */
import type { Duplex, Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { holdParentPipe, watchedCommand } from './end-with-parent.ts';

type Stdio = 'pipe' | 'ignore' | 'inherit' | number;

export interface ProgramOptions {
  cwd?: string | undefined;
  /** The whole environment: nothing is inherited. */
  environment: Record<string, string>;
  /** Runs the program as another user. Only root can do that. */
  user?: { uid: number; gid: number } | undefined;
  stdin?: Stdio | undefined;
  stdout?: Stdio | undefined;
  stderr?: Stdio | undefined;
  signal?: AbortSignal | undefined;
  /** No limit unless given. */
  timeoutMs?: number | undefined;
  /** How long the group may take to end after SIGTERM, before SIGKILL. 0 sends SIGKILL at once. */
  graceMs?: number | undefined;
  /** Also terminates the program when this process is killed. Linux and macOS only. */
  endsWithParent?: boolean | undefined;
}

export interface ProgramExit {
  exitCode: number | undefined;
  signal: NodeJS.Signals | undefined;
  /** Why the program was terminated, or why it could not start. Undefined when it exited by itself. */
  stopped: 'not_found' | 'not_startable' | 'timeout' | 'cancelled' | 'stopped' | undefined;
  /** The operating system's error, where the program could not start. */
  error: Error | undefined;
}

export interface StartedProgram {
  /** Undefined when the program could not start. */
  pid: number | undefined;
  stdin: Writable | undefined;
  stdout: Readable | undefined;
  stderr: Readable | undefined;
  /** Never rejects. Resolves when the program has exited and its pipes are closed. */
  exited: Promise<ProgramExit>;
  /** Terminates the process group: SIGTERM, then SIGKILL after the grace period. */
  stop(): Promise<ProgramExit>;
}

const defaultGraceMs = 1_000;

export function startProgram(argv: readonly string[], options: ProgramOptions): StartedProgram {
  const { endsWithParent = false, graceMs = defaultGraceMs, signal, timeoutMs } = options;
  const [file = '', ...args] = endsWithParent ? watchedCommand(argv, graceMs) : argv;
  const { stdin = 'ignore', stdout = 'pipe', stderr = 'pipe' } = options;
  // execa's types lose track of the union; its values are the same.
  const stdio = [stdin, stdout, stderr, ...(endsWithParent ? ['pipe'] : [])] as ['pipe', 'pipe', 'pipe'];
  const child = execa(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...options.user,
    env: options.environment,
    extendEnv: false,
    stdio,
    buffer: false,
    reject: false,
    // A group of its own: Ctrl-C in a terminal reaches only this process, and helpers end with the program.
    killDescendants: true,
    // execa's clean-up listens for signals and raises them again when it is the last listener. That would end a process
    // that handles its first SIGTERM with `once`, before its handler is done.
    cleanup: false,
    ...(graceMs === 0 ? { killSignal: 'SIGKILL' } : { forceKillAfterDelay: graceMs }),
    ...(signal && { cancelSignal: signal }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  });
  // A program that exits early closes its standard input: its exit code says more than EPIPE.
  child.stdin?.on('error', () => {});
  if (endsWithParent && child.pid !== undefined) {
    const release = holdParentPipe(child.stdio[3] as unknown as Duplex);
    child.nodeChildProcess.once('exit', release);
  }
  let isStopped = false;
  const exited = child.then((result): ProgramExit => {
    const { code, cause } = result as { code?: string; cause?: Error };
    const exit = { exitCode: result.exitCode, signal: result.signal as NodeJS.Signals | undefined };
    if (result.timedOut) return { ...exit, stopped: 'timeout', error: undefined };
    if (result.isCanceled) return { ...exit, stopped: 'cancelled', error: undefined };
    if (child.pid !== undefined)
      return { ...exit, stopped: isStopped ? 'stopped' : undefined, error: undefined };
    const stopped = code === 'ENOENT' || code === 'EACCES' ? 'not_found' : 'not_startable';
    return { ...exit, stopped, error: cause };
  });
  const stop = (): Promise<ProgramExit> => {
    isStopped = true;
    child.kill(graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
    return exited;
  };
  return {
    pid: child.pid,
    stdin: (child.stdin as Writable | null) ?? undefined,
    stdout: (child.stdout as Readable | null) ?? undefined,
    stderr: (child.stderr as Readable | null) ?? undefined,
    exited,
    stop,
  };
}
