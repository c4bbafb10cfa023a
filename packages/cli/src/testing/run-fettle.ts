/** Runs the real command, as a person's shell would. */
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

export function startFettle(words: string[], settings: Record<string, string> = {}) {
  return start([process.execPath, program, ...words], settings);
}

function start([command = '', ...args]: string[], settings: Record<string, string>) {
  const { PATH = '', HOME = '', TMPDIR = '', FETTLE_TEST_RUN = '' } = process.env;
  // A test that names no home has nothing to write to one: in here it would count as left behind, in a person's it would stay.
  const FETTLE_HOME = join(TMPDIR, 'home-of-nobody');
  const child = spawn(command, args, {
    env: { PATH, HOME, TMPDIR, FETTLE_TEST_RUN, FETTLE_HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const finished = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [exitCode]]): Finished => ({ exitCode, stdout, stderr }),
  );
  return { child, finished };
}

export function runFettle(words: string[], settings: Record<string, string> = {}): Promise<Finished> {
  return startFettle(words, settings).finished;
}

/** For root only; the other user has to be able to get to this folder. */
export function runFettleAs(
  user: number,
  words: string[],
  settings: Record<string, string>,
): Promise<Finished> {
  const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  return start([...become, process.execPath, program, ...words], settings).finished;
}

/** Into a reader that has seen enough after the first line. */
export function runFettleIntoHead(words: string[], settings: Record<string, string>): Promise<Finished> {
  const pipe = ['sh', '-c', '"$@" | head -n 1', 'sh', process.execPath, program, ...words];
  return start(pipe, settings).finished;
}

/** With something to read, which is not too much for a command line. */
export function runFettleWithInput(words: string[], input: string): Promise<Finished> {
  const pipe = ['sh', '-c', 'printf %s "$0" | "$@"', input, process.execPath, program, ...words];
  return start(pipe, {}).finished;
}
