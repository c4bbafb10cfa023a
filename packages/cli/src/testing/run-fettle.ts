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

export function startFettle(args: string[], settings: Record<string, string> = {}, place: Place = {}) {
  return start([process.execPath, program, ...args], settings, place);
}

interface Place {
  /** The current folder of the command. */
  cwd?: string;
}

function start([command = '', ...rest]: string[], settings: Record<string, string>, { cwd }: Place = {}) {
  const { PATH = '', HOME = '', TMPDIR = '', FETTLE_TEST_RUN = '' } = process.env;
  // A test without a home must write nothing: files here count as leaked, and files in the user's home would stay.
  const FETTLE_HOME = join(TMPDIR, 'unused-home');
  // The config file of the user who runs the tests must not matter.
  const XDG_CONFIG_HOME = join(TMPDIR, 'unused-config');
  const child = spawn(command, rest, {
    env: { PATH, HOME, TMPDIR, FETTLE_TEST_RUN, FETTLE_HOME, XDG_CONFIG_HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  const finished = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [exitCode]]): Finished => ({ exitCode, stdout, stderr }),
  );
  return { child, finished };
}

export function runFettle(
  args: string[],
  settings: Record<string, string> = {},
  place: Place = {},
): Promise<Finished> {
  return startFettle(args, settings, place).finished;
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
export function runFettleWithInput(
  args: string[],
  input: string,
  settings: Record<string, string> = {},
): Promise<Finished> {
  const pipe = ['sh', '-c', 'printf %s "$0" | "$@"', input, process.execPath, program, ...args];
  return start(pipe, settings).finished;
}
