/** A service as a child process, from its start to its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CliError, exitCodes, interruptedError } from '../cli-error.ts';
import type { Running } from './keep-running.ts';
import { type LogFile, openLog } from './log-file.ts';
import { recordChild } from './previous-children.ts';

const readyLimitMs = 60_000;
/** A worker has half a minute to hand over what it works on. */
const stopLimitMs = 35_000;
const shownLines = 12;
const shownLineLength = 400;
const preload = join(import.meta.dirname, 'die-with-parent.ts');

export interface ChildOptions {
  name: string;
  main: string;
  environment: Record<string, string>;
  logPath: string;
  /** Says while it runs which process it is. */
  recordPath: string;
}

/** How a child ended, or that it was not ready in time: with what it said last. */
export class ChildError extends CliError {
  /** Its exit code; undefined where it was ended by a signal, or by us. */
  readonly status: number | undefined;
  readonly lines: string[];

  constructor(message: string, log: LogFile, status?: number) {
    const lines = log.tail(shownLines).filter((line) => line !== '');
    const quoted = lines.map((line) => `\n  │ ${line.slice(0, shownLineLength)}`).join('');
    const advice = `The whole log is ${log.path}.`;
    super('service_failed', message + quoted, { exitCode: exitCodes.unavailable, advice });
    this.status = status;
    this.lines = lines;
  }
}

/** Resolves with the child's first line; a child that ends before, or takes too long, is an error and gone. */
export async function startChild(
  options: ChildOptions,
  signal: AbortSignal,
): Promise<Running & { firstLine: string }> {
  const { name, main, environment, logPath, recordPath } = options;
  const log = openLog(logPath);
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', preload, main],
    {
      env: environment,
      // A group of its own: Ctrl-C in a terminal reaches the CLI alone, which then stops the children in order.
      detached: true,
      stdio: ['pipe', 'pipe', log.descriptor],
    },
  );
  // The pipe is never written to; that it breaks when the child ends is no news.
  child.stdin?.on('error', () => {});
  const firstLine = readFirstLine(child.stdout as Readable);
  const exited = waitForEnd(child).then((how) => {
    const error = describeEnd(name, how, log);
    log.close();
    rmSync(recordPath, { force: true });
    return error;
  });
  try {
    if (child.pid !== undefined) recordChild(recordPath, child.pid);
  } catch (error) {
    killGroup(child);
    await exited;
    throw error;
  }
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => killGroup(child), stopLimitMs);
    await exited;
    clearTimeout(timer);
  };

  const timeLimit = AbortSignal.timeout(readyLimitMs);
  const first = await Promise.race([firstLine, exited, aborted(AbortSignal.any([signal, timeLimit]))]);
  if (typeof first === 'object' && 'line' in first) return { exited, stop, firstLine: first.line };
  const error = first === 'aborted' ? (signal.aborted ? interruptedError() : tooSlow(name, log)) : first;
  await stop();
  throw error;
}

async function aborted(signal: AbortSignal): Promise<'aborted'> {
  if (!signal.aborted) await once(signal, 'abort');
  return 'aborted';
}

/** Goes on reading after the first line, since a full pipe would stop the child. */
function readFirstLine(stdout: Readable): Promise<{ line: string }> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => resolve({ line }));
  });
}

type End = { code: number | null; signal: NodeJS.Signals | null } | { failure: Error };

function waitForEnd(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.on('error', (failure) => resolve({ failure }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function describeEnd(name: string, end: End, log: LogFile): ChildError {
  const how = 'failure' in end ? end.failure.message : `exit code ${end.code ?? `none, ${end.signal}`}`;
  const status = 'failure' in end ? undefined : (end.code ?? undefined);
  return new ChildError(`the ${name} ended (${how})`, log, status);
}

function tooSlow(name: string, log: LogFile): ChildError {
  return new ChildError(`the ${name} was not ready after ${readyLimitMs / 1000} s`, log);
}
