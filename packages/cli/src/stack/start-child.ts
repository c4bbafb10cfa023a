/** Starts a service as a child process and waits until it is ready. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endWithParentPreload, type ProgramExit, startProgram } from '@fettle/process';
import { CliError, exitCodes, interruptedError } from '../cli-error.ts';
import type { Running } from './keep-running.ts';
import { type LogFile, openLog } from './log-file.ts';
import { recordChild } from './previous-children.ts';

const readyTimeoutMs = 60_000;
/** A worker takes up to 30 s to hand over its operations. */
const stopGraceMs = 35_000;
const shownLines = 12;
const shownLineLength = 400;

export interface ChildOptions {
  name: string;
  main: string;
  environment: Record<string, string>;
  logPath: string;
  /** Names the process while it runs. */
  recordPath: string;
}

/** A child exited or was not ready in time. The message quotes the end of its log. */
export class ChildError extends CliError {
  /** The exit code. Undefined if a signal ended the child. */
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

/** Resolves with the first line that the child prints. Throws, with the child stopped, if it exits before or takes too long. */
export async function startChild(
  options: ChildOptions,
  signal: AbortSignal,
): Promise<Running & { firstLine: string }> {
  const { name, main, environment, logPath, recordPath } = options;
  const log = openLog(logPath);
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--import', endWithParentPreload];
  const child = startProgram([...node, main], {
    environment,
    stdin: 'pipe',
    stderr: log.descriptor,
    graceMs: stopGraceMs,
  });
  const firstLine = readFirstLine(child.stdout);
  const exited = child.exited.then((exit) => {
    const error = describeExit(name, exit, log);
    log.close();
    rmSync(recordPath, { force: true });
    return error;
  });
  const stop = async () => {
    await child.stop();
    await exited;
  };
  try {
    if (child.pid !== undefined) recordChild(recordPath, child.pid);
  } catch (error) {
    await stop();
    throw error;
  }

  const timeout = AbortSignal.timeout(readyTimeoutMs);
  const first = await Promise.race([firstLine, exited, aborted(AbortSignal.any([signal, timeout]))]);
  if (typeof first === 'object' && 'line' in first) return { exited, stop, firstLine: first.line };
  const error = first === 'aborted' ? (signal.aborted ? interruptedError() : tooSlow(name, log)) : first;
  await stop();
  throw error;
}

async function aborted(signal: AbortSignal): Promise<'aborted'> {
  if (!signal.aborted) await once(signal, 'abort');
  return 'aborted';
}

/** Keeps reading after the first line, because a full pipe would block the child. */
function readFirstLine(stdout: Readable | undefined): Promise<{ line: string }> {
  return new Promise((resolve) => {
    if (stdout) createInterface({ input: stdout }).on('line', (line) => resolve({ line }));
  });
}

function describeExit(name: string, { exitCode, signal, error }: ProgramExit, log: LogFile): ChildError {
  const how = error?.message ?? signal ?? `exit code ${exitCode}`;
  return new ChildError(`the ${name} exited (${how})`, log, exitCode);
}

function tooSlow(name: string, log: LogFile): ChildError {
  return new ChildError(`the ${name} was not ready after ${readyTimeoutMs / 1000} s`, log);
}
