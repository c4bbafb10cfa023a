import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { SetupFailure } from './progress.mjs';

const forwarded = ['SIGINT', 'SIGHUP', 'SIGTERM'];

/** Runs a child to its end and forwards signals to it. Resolves to its exit code, signal and output. */
export function runChild(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    const stopForwarding = forwardSignals(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        // Only the end is shown.
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

/** Runs the command of a step without showing its output. A failure shows the end of the output and the advice. */
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
  // A terminal sends SIGINT and SIGHUP to the whole foreground group, so the child has them already. A second one would
  // force it to exit at once.
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
