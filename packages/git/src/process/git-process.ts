// The one place that starts git.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { failureFromStderr, GitError } from './git-error.ts';
import { gitEnvironment, settingArguments } from './git-settings.ts';
import { holdLeash, leashedCommand } from './leash.ts';

export interface GitCall {
  gitDir: string;
  /** The subcommand and its arguments. */
  args: readonly string[];
  /** `name=value` on top of the settings that every call gets. */
  settings?: readonly string[] | undefined;
  env?: Record<string, string> | undefined;
  protocols?: readonly string[] | undefined;
  network?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** 0 means no limit, for a process that lasts. */
  timeoutMs?: number | undefined;
  /** Ends with this process, also where that is killed. */
  leashed?: boolean | undefined;
}

export interface GitEnd {
  exitCode: number | null;
  stderr: string;
  /** Why we ended it, when we did. */
  stopped: GitError | undefined;
}

export interface GitProcess {
  stdin: ChildProcessWithoutNullStreams['stdin'];
  stdout: ChildProcessWithoutNullStreams['stdout'];
  pid: number | undefined;
  /** Never rejects; resolves when the process and its pipes are gone. */
  ended: Promise<GitEnd>;
  stop(reason: GitError): void;
}

const defaultTimeoutMs = 60_000;
const maxStderrBytes = 64 * 1024;
/** How long a git that is stopped may tidy up. */
const graceMs = 1_000;

export function startGit(call: GitCall): GitProcess {
  const name = call.args[0] ?? '';
  const cancelled = () => new GitError('cancelled', `git ${name} was cancelled.`);
  if (call.signal?.aborted) throw cancelled();
  // A group of its own: git starts helpers, and all of them have to go at once.
  const args = [...settingArguments(call.settings), `--git-dir=${call.gitDir}`, ...call.args];
  const command = call.leashed ? leashedCommand(args) : { program: 'git', args };
  const child = spawn(command.program, command.args, {
    cwd: '/',
    env: { ...gitEnvironment(call), ...call.env },
    detached: true,
    stdio: call.leashed ? ['pipe', 'pipe', 'pipe', 'pipe'] : 'pipe',
  }) as ChildProcessWithoutNullStreams;
  if (call.leashed) holdLeash(child);

  let stopped: GitError | undefined;
  let closed = false;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (reason: GitError) => {
    if (closed) return;
    stopped ??= reason;
    // Git takes its locks away, in the target of a push too, if it is asked before it is killed.
    signalGroup(child.pid, 'SIGTERM');
    killTimer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
  };
  const timeoutMs = call.timeoutMs ?? defaultTimeoutMs;
  const late = () => stop(new GitError('timeout', `git ${name} took longer than ${timeoutMs} ms.`));
  const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
  const abort = () => stop(cancelled());
  call.signal?.addEventListener('abort', abort, { once: true });

  const stderr = collectStderr(child);
  // A process that ends early closes its standard input; its exit code tells more than EPIPE.
  child.stdin.on('error', () => {});
  const ended = new Promise<GitEnd>((resolve) => {
    child.once('error', (error) => {
      stopped ??= new GitError('failed', `git could not be started: ${error.message}`);
    });
    child.once('close', (exitCode) => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(killTimer);
      call.signal?.removeEventListener('abort', abort);
      resolve({ exitCode, stderr: stderr(), stopped });
    });
  });
  return { stdin: child.stdin, stdout: child.stdout, pid: child.pid, ended, stop };
}

/** Throws unless the process ended by itself with one of the exit codes. */
function assertEnded(call: GitCall, end: GitEnd, exitCodes: readonly number[] = [0]): void {
  if (end.stopped) throw end.stopped;
  if (end.exitCode !== null && exitCodes.includes(end.exitCode)) return;
  throw failureFromStderr(call.args[0] ?? '', end.stderr);
}

export interface GitRun extends GitCall {
  input?: string | Buffer | undefined;
  maxBytes?: number | undefined;
  /** What happens to output beyond `maxBytes`; `fail` unless told. */
  overflow?: 'fail' | 'truncate' | undefined;
  exitCodes?: readonly number[] | undefined;
}

export interface GitOutput {
  stdout: Buffer;
  stderr: string;
  exitCode: number | null;
  truncated: boolean;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Runs git to its end and returns what it said, within bounds. */
export async function runGit(run: GitRun): Promise<GitOutput> {
  const git = startGit(run);
  git.stdin.end(run.input ?? '');
  const maxBytes = run.maxBytes ?? defaultMaxBytes;
  const tooLarge = new GitError('too_large', `git ${run.args[0]} gave more than ${maxBytes} bytes.`);
  const chunks: Buffer[] = [];
  let size = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    if (size <= maxBytes) chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) git.stop(tooLarge);
  });
  const end = await git.ended;
  const stdout = Buffer.concat(chunks);
  if (end.stopped === tooLarge && run.overflow === 'truncate') {
    return { stdout: stdout.subarray(0, maxBytes), stderr: end.stderr, exitCode: null, truncated: true };
  }
  assertEnded(run, end, run.exitCodes);
  // The last chunk can cross the limit when the process has already ended by itself.
  if (size > maxBytes && run.overflow !== 'truncate') throw tooLarge;
  return {
    stdout: stdout.subarray(0, maxBytes),
    stderr: end.stderr,
    exitCode: end.exitCode,
    truncated: size > maxBytes,
  };
}

function collectStderr(child: ChildProcessWithoutNullStreams): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    if (size < maxStderrBytes) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).subarray(0, maxStderrBytes).toString('utf8');
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
