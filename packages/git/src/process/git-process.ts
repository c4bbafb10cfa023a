/** The only place that starts git. */
import type { Readable, Writable } from 'node:stream';
import { type ProgramExit, type ProgramOptions, runProgram, startProgram } from '@fettle/process';
import { failureFromStderr, GitError } from './git-error.ts';
import { gitEnvironment, settingArguments, withoutProxyCredentials } from './git-settings.ts';

export interface GitCall {
  gitDir: string;
  /** The subcommand and its arguments. */
  args: readonly string[];
  /** `name=value`, in addition to the settings that every call gets. */
  settings?: readonly string[] | undefined;
  env?: Record<string, string> | undefined;
  protocols?: readonly string[] | undefined;
  /** Whether the call leaves this machine. */
  network?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** 0 means no limit, for a long-running process. */
  timeoutMs?: number | undefined;
  /** Terminates git when this process is killed, for example in the middle of a push. */
  endsWithParent?: boolean | undefined;
}

export interface GitProcess {
  stdin: Writable;
  stdout: Readable;
  pid: number | undefined;
  /** Never rejects. Resolves when the process has exited and its pipes are closed. */
  exited: Promise<{ stderr: string; stopped: GitError | undefined }>;
  /** The first reason wins. */
  stop(reason: GitError): void;
}

const defaultTimeoutMs = 60_000;
const maxStderrBytes = 64 * 1024;

/** Starts a git that the caller reads from and writes to while it runs. */
export function startGit(call: GitCall): GitProcess {
  const program = startProgram(commandOf(call), { ...optionsOf(call), stdin: 'pipe' });
  let reason: GitError | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  program.stderr?.on('data', (chunk: Buffer) => {
    if (size < maxStderrBytes) chunks.push(chunk);
    size += chunk.length;
  });
  return {
    // Both exist even where git could not start: execa then returns streams that are already closed.
    stdin: program.stdin as Writable,
    stdout: program.stdout as Readable,
    pid: program.pid,
    exited: program.exited.then((exit) => ({
      stderr: Buffer.concat(chunks).toString('utf8', 0, maxStderrBytes),
      stopped: reason ?? stopReason(call, exit),
    })),
    stop(why) {
      reason ??= why;
      void program.stop();
    },
  };
}

export interface GitRun extends GitCall {
  input?: string | Buffer | undefined;
  maxBytes?: number | undefined;
  /** What to do with output beyond `maxBytes`. The default is `fail`. */
  overflow?: 'fail' | 'truncate' | undefined;
  /** The exit codes that are not a failure. The default is 0 alone. */
  exitCodes?: readonly number[] | undefined;
}

export interface GitOutput {
  stdout: Buffer;
  stderr: string;
  /** Undefined when git was stopped because its output was truncated. */
  exitCode: number | undefined;
  truncated: boolean;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** Runs git to its end and returns its output. */
export async function runGit(run: GitRun): Promise<GitOutput> {
  const { input, maxBytes = defaultMaxBytes, overflow = 'fail', exitCodes = [0] } = run;
  const result = await runProgram(commandOf(run), { ...optionsOf(run), input, maxBytes });
  const { stdout, exitCode } = result;
  const stderr = run.network ? withoutProxyCredentials(result.stderr) : result.stderr;
  if (result.stopped === 'too_large') {
    if (overflow === 'truncate') return { stdout, stderr, exitCode: undefined, truncated: true };
    throw new GitError('too_large', `git ${run.args[0]} wrote more than ${maxBytes} bytes.`);
  }
  const stopped = stopReason(run, { ...result, stopped: result.stopped });
  if (stopped) throw stopped;
  if (exitCode === undefined || !exitCodes.includes(exitCode))
    throw failureFromStderr(run.args[0] ?? '', stderr);
  return { stdout, stderr, exitCode, truncated: false };
}

function commandOf({ settings, gitDir, args }: GitCall): string[] {
  return ['git', ...settingArguments(settings), `--git-dir=${gitDir}`, ...args];
}

function optionsOf(call: GitCall): ProgramOptions {
  const { signal, timeoutMs = defaultTimeoutMs, endsWithParent } = call;
  return {
    cwd: '/',
    environment: { ...gitEnvironment(call), ...call.env },
    signal,
    timeoutMs: timeoutMs > 0 ? timeoutMs : undefined,
    endsWithParent,
  };
}

/** Why git was stopped or did not start; undefined when it exited by itself. */
function stopReason(call: GitCall, { stopped, error }: ProgramExit): GitError | undefined {
  const command = `git ${call.args[0]}`;
  switch (stopped) {
    case undefined:
      return undefined;
    case 'timeout':
      return new GitError('timeout', `${command} took longer than ${call.timeoutMs ?? defaultTimeoutMs} ms.`);
    case 'cancelled':
    case 'stopped':
      return new GitError('cancelled', `${command} was cancelled.`);
    default:
      return new GitError('failed', `Git could not be started: ${error?.message ?? stopped}`);
  }
}
