/** Runs the real `fettle` command in tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/fettle.js', import.meta.url));

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export function startFettle(args: string[], settings: Record<string, string> = {}) {
  return start([process.execPath, program, ...args], settings);
}

function start([command = '', ...rest]: string[], settings: Record<string, string>) {
  const { PATH = '', HOME = '', TMPDIR = '', FETTLE_TEST_RUN = '' } = process.env;
  // A test without a home must write nothing: files here count as leaked, and files in the user's home would stay.
  const FETTLE_HOME = join(TMPDIR, 'unused-home');
  const child = spawn(command, rest, {
    env: { PATH, HOME, TMPDIR, FETTLE_TEST_RUN, FETTLE_HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const finished = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [exitCode]]): Finished => ({ exitCode, stdout, stderr }),
  );
  return { child, finished };
}

export function runFettle(args: string[], settings: Record<string, string> = {}): Promise<Finished> {
  return startFettle(args, settings).finished;
}

/** Needs root. The other user must have access to this folder. */
export function runFettleAs(
  user: number,
  args: string[],
  settings: Record<string, string>,
): Promise<Finished> {
  const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  return start([...become, process.execPath, program, ...args], settings).finished;
}

/** Pipes the output into `head -n 1`, which exits after the first line. */
export function runFettleIntoHead(args: string[], settings: Record<string, string>): Promise<Finished> {
  const pipe = ['sh', '-c', '"$@" | head -n 1', 'sh', process.execPath, program, ...args];
  return start(pipe, settings).finished;
}

/** Passes the input on standard input. It must fit into a command line. */
export function runFettleWithInput(args: string[], input: string): Promise<Finished> {
  const pipe = ['sh', '-c', 'printf %s "$0" | "$@"', input, process.execPath, program, ...args];
  return start(pipe, {}).finished;
}
