import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { SetupFailure } from './progress.mjs';

const forwarded = ['SIGINT', 'SIGHUP', 'SIGTERM'];

/** Runs a child to its end, passing signals on; resolves to its exit code, output and ending signal. */
export function runChild(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    const stopForwarding = forwardSignals(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        // Only the end is ever shown.
        output = (output + text).slice(-64_000);
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stopForwarding();
      resolve({ code: code ?? 128 + constants.signals[signal], signal, output });
    });
  });
}

/** Runs a step's command with its output held back; a failure shows the output's end and the advice. */
export async function runQuietly(file, args, { cwd, env, failure, advice }) {
  const { code, signal, output } = await runChild(file, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (forwarded.includes(signal)) process.kill(process.pid, signal);
  if (code !== 0) throw new SetupFailure(failure, { advice, output });
}

function forwardSignals(child) {
  // A terminal sends Ctrl-C and its own end to the whole foreground group: the child has them already,
  // and a second one would read as impatience.
  const sentByTerminal = isatty(0) ? ['SIGINT', 'SIGHUP'] : [];
  const handlers = forwarded.map((signal) => [
    signal,
    () => sentByTerminal.includes(signal) || child.kill(signal),
  ]);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
